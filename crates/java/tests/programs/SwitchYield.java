// Switch expressions: arrows, yield, blocks, nesting, mixed types, exceptions within.
public class SwitchYield {
    static Object pick(int v) {
        return switch (v) {
            case 0 -> 1;
            case 1 -> "one";
            case 2 -> 2.5;
            case 3 -> {
                try {
                    yield Integer.parseInt("x");
                } catch (NumberFormatException e) {
                    yield e.getMessage();
                } finally {
                    System.out.println("finally");
                }
            }
            case 4 -> switch (v * 2) {
                case 8 -> 'c';
                default -> 'd';
            };
            default -> throw new UnsupportedOperationException("value " + v);
        };
    }

    static double numeric(int v) {
        return switch (v) {
            case 0 -> 1;
            case 1 -> 2L;
            case 2 -> 2.5f;
            case 3 -> 'a';
            default -> Double.NaN;
        };
    }

    static int oldStyle(int v) {
        int r = 10 + switch (v) {
            case 1:
            case 2:
                int t = v * 100;
                yield t;
            case 3:
                yield 7;
            default:
                for (int i = 0; ; i++) {
                    if (i * i > v) {
                        yield i;
                    }
                }
        } * 2;
        return r;
    }

    public static void main(String[] args) {
        for (int v = 0; v < 6; v++) {
            try {
                System.out.println(v + " " + pick(v));
            } catch (UnsupportedOperationException e) {
                System.out.println(e.getMessage());
            }
            System.out.println(numeric(v) + " " + oldStyle(v));
        }
        int stacked = 1 + 2 * switch (args.length) {
            case 0 -> {
                int sum = 0;
                for (int i = 0; i < 5; i++) {
                    sum += i;
                }
                yield sum;
            }
            default -> 0;
        } + 3;
        System.out.println(stacked);
        String s = "a" + switch (stacked % 2) {
            case 0 -> "even";
            default -> "odd";
        } + "z";
        System.out.println(s);
    }
}
