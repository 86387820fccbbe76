// finally in all its paths: return, throw, override, nesting, loops.
public class Finally {
    static StringBuilder log = new StringBuilder();

    static int plain(int v) {
        try {
            log.append("t");
            return v;
        } finally {
            log.append("f");
            v = 100;
        }
    }

    @SuppressWarnings("finally")
    static int override(int v) {
        try {
            return v / 0;
        } catch (ArithmeticException e) {
            log.append("c");
            return 1;
        } finally {
            log.append("f");
            return 2;
        }
    }

    @SuppressWarnings("finally")
    static int swallow() {
        while (true) {
            try {
                throw new IllegalStateException();
            } finally {
                break;
            }
        }
        return 3;
    }

    static int nested() {
        int r = 0;
        try {
            try {
                r += 1;
                throw new RuntimeException("inner");
            } finally {
                r += 10;
            }
        } catch (RuntimeException e) {
            r += 100;
            try {
                r += 1000;
            } finally {
                r += 10000;
            }
        } finally {
            r += 100000;
        }
        return r;
    }

    static String replace() {
        try {
            try {
                throw new RuntimeException("first");
            } finally {
                throw new RuntimeException("second");
            }
        } catch (RuntimeException e) {
            return e.getMessage() + " " + e.getSuppressed().length + " " + e.getCause();
        }
    }

    static int loop() {
        int r = 0;
        for (int i = 0; i < 5; i++) {
            try {
                if (i == 1) {
                    continue;
                }
                if (i == 3) {
                    break;
                }
                r += i;
            } finally {
                r += 100;
            }
        }
        return r;
    }

    static int[] holder() {
        int[] a = {1};
        try {
            return a;
        } finally {
            a[0] = 2;
        }
    }

    static boolean shortCircuit() {
        try {
            return log.length() > 0 || log.append("x") != null;
        } finally {
            log.setLength(0);
        }
    }

    static long wide(boolean fail) {
        long l = 5_000_000_000L;
        double d = 2.5;
        try {
            if (fail) {
                throw new Error("wide");
            }
            return l;
        } catch (Error e) {
            return l + (long) d;
        } finally {
            l = 0;
            d = 0;
        }
    }

    public static void main(String[] args) {
        System.out.println(plain(7) + " " + log);
        System.out.println(override(7) + " " + log);
        System.out.println(swallow());
        System.out.println(nested());
        System.out.println(replace());
        System.out.println(loop());
        System.out.println(holder()[0]);
        System.out.println(shortCircuit() + " " + log.length());
        System.out.println(wide(false) + " " + wide(true));
        try {
            System.out.println("in");
        } finally {
            System.out.println("out");
        }
    }
}
