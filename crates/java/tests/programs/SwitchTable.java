// Dense switches: fall through, default in the middle, edges of the table, all small types.
public class SwitchTable {
    static String dense(int v) {
        switch (v) {
            case 0:
                return "zero";
            case 1:
                return "one";
            case 2:
                return "two";
            case 3:
            case 4:
                return "some";
            case 6:
                return "six";
            default:
                return "many";
        }
    }

    static int fall(int v) {
        int r = 0;
        switch (v) {
            case 1:
                r += 1;
            case 2:
                r += 10;
            default:
                r += 100;
            case 3:
                r += 1000;
                break;
            case 4:
                r += 10000;
        }
        return r;
    }

    static String negative(int v) {
        switch (v) {
            case -2: return "a";
            case -1: return "b";
            case 0: return "c";
            case 1: return "d";
        }
        return "none";
    }

    static String edge(int v) {
        switch (v) {
            case Integer.MAX_VALUE: return "max";
            case Integer.MAX_VALUE - 1: return "max-1";
            case Integer.MAX_VALUE - 2: return "max-2";
            default: return "other";
        }
    }

    static String letter(char c) {
        switch (c) {
            case 'a':
            case 'e':
            case 'i':
            case 'o':
            case 'u':
                return "vowel";
            case 'y':
                return "perhaps";
            default:
                return Character.isLetter(c) ? "consonant" : "other";
        }
    }

    static int ofByte(byte b) {
        switch (b) {
            case -128: return 1;
            case 127: return 2;
            default: return 3;
        }
    }

    static int ofBoxed(Integer v) {
        switch (v) {
            case 1: return 10;
            case 2: return 20;
            default: return 0;
        }
    }

    public static void main(String[] args) {
        for (int v = -3; v <= 8; v++) {
            System.out.println(v + " " + dense(v) + " " + fall(v) + " " + negative(v));
        }
        for (int v : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 2, Integer.MIN_VALUE, 0, -1}) {
            System.out.println(edge(v) + " " + dense(v) + " " + negative(v));
        }
        for (char c : "hey you!".toCharArray()) {
            System.out.println(c + " " + letter(c));
        }
        System.out.println(ofByte((byte) 128) + " " + ofByte((byte) 127) + " " + ofByte((byte) 0));
        System.out.println(ofBoxed(1) + " " + ofBoxed(2) + " " + ofBoxed(3000));
        try {
            ofBoxed(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        switch (3) {
        }
        int count = 0;
        for (int v = 0; v < 10; v++) {
            switch (v % 3) {
                case 0:
                    continue;
                case 1:
                    count += v;
                    break;
                default:
                    count *= 2;
            }
            count++;
        }
        System.out.println(count);
    }
}
