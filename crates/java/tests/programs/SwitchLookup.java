// Sparse switches, nested switches, switches in loops with labels.
public class SwitchLookup {
    static String sparse(int v) {
        switch (v) {
            case Integer.MIN_VALUE: return "min";
            case -1000000: return "minus a million";
            case -1: return "minus one";
            case 0: return "zero";
            case 77: return "seventy-seven";
            case 1000: return "thousand";
            case 1000000: return "million";
            case Integer.MAX_VALUE: return "max";
            default: return "?";
        }
    }

    static int state(String input) {
        int state = 0;
        int line = 0;
        scan:
        for (int i = 0; i < input.length(); i++) {
            char c = input.charAt(i);
            switch (state) {
                case 0:
                    switch (c) {
                        case '"': state = 100; break;
                        case '/': state = 2000; break;
                        case '#': break scan;
                        case '\n': line++; break;
                        default: continue scan;
                    }
                    break;
                case 100:
                    if (c == '"') {
                        state = 0;
                    }
                    break;
                case 2000:
                    switch (c) {
                        case '/':
                            state = 30000;
                            break;
                        default:
                            state = 0;
                    }
                    break;
                case 30000:
                    if (c == '\n') {
                        state = 0;
                        line++;
                    }
                    break;
                default:
                    throw new IllegalStateException("state " + state);
            }
        }
        return line * 100000 + state;
    }

    public static void main(String[] args) {
        int[] values = {Integer.MIN_VALUE, -1000000, -999999, -1, 0, 1, 76, 77, 78, 1000, 1000000, Integer.MAX_VALUE,
            Integer.MAX_VALUE - 1};
        for (int v : values) {
            System.out.println(v + " " + sparse(v));
        }
        for (String s : new String[] {"", "a\nb\n", "\"x\ny\"\n", "// c\n\n", "a/b\n", "x\n#\n\n", "\"open", "//open"}) {
            System.out.println(state(s));
        }
    }
}
