// String concatenation of all types, null, long chains, side effects in order.
public class ConcatAll {
    static int n;

    static String next(String s) {
        return s + ++n;
    }

    static final String CONSTANT = "c" + 1 + 'x' + 2.5 + true + null;

    static class Odd {
        @Override
        public String toString() {
            n += 100;
            return n > 150 ? null : "odd";
        }
    }

    public static void main(String[] args) {
        boolean z = true;
        byte b = -1;
        short s = -2;
        char c = 'c';
        int i = Integer.MIN_VALUE;
        long l = Long.MIN_VALUE;
        float f = 1.5e10f;
        double d = -1e-5;
        String t = "text";
        String none = null;
        Object o = null;
        char[] empty = null;
        Integer boxed = 5;
        Character boxedChar = 'q';
        System.out.println("" + z + b + s + c + i + l + f + d + t + none + o + empty + boxed + boxedChar);
        System.out.println(z + " " + b + "\u0001" + s + "\u0002" + c);
        System.out.println(c + 1 + "x" + c + 1 + (c + 1) + (char) (c + 1));
        System.out.println(1 + 2 + "3" + 4 + 5);
        System.out.println(CONSTANT);
        System.out.println(next("a") + next("b") + n + next("c") + n++ + n);
        System.out.println("" + new Odd() + new Odd() + n);
        String long1 = "1" + i + "2" + i + "3" + i + "4" + i + "5" + i + "6" + i + "7" + i + "8" + i + "9" + i + "10" + i + "11" + i
            + "12" + i + "13" + i + "14" + i + "15" + i + "16" + i + "17" + i + "18" + i + "19" + i + "20" + i + "21" + i;
        System.out.println(long1);
        StringBuilder many = new StringBuilder();
        String x = "x";
        String all = x + 0 + x + 1 + x + 2 + x + 3 + x + 4 + x + 5 + x + 6 + x + 7 + x + 8 + x + 9 + x + z + x + b + x + s + x + c + x + i + x
            + l + x + f + x + d + x + t + x + none + x + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none
            + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none
            + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none
            + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none
            + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none
            + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none + z + b + s + c + i + l + f + d + t + none;
        System.out.println(all.length() + " " + all.hashCode());
        for (int k = 0; k < 5; k++) {
            t += k;
            t = k + t;
        }
        System.out.println(t + many);
        String wide = "\u20ac" + c + i + "\u00e9";
        System.out.println(wide.length() + " " + (int) wide.charAt(0) + " " + (int) wide.charAt(wide.length() - 1));
        System.out.println((none + none) + (o + t) + "end" == "never");
        System.out.println("" + 0.0f + -0.0 + Float.NaN + Double.POSITIVE_INFINITY + 1e7 + 1e-3f + 123456789.0 + (0.1f + 0.2f));
        final String fixed = "ab";
        System.out.println(fixed + "cd" == "abcd");
    }
}
