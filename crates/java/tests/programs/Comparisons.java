// All comparisons on all types, NaN included, as branches and as values.
public class Comparisons {
    static String of(int a, int b) {
        return (a < b ? "<" : "") + (a <= b ? "<=" : "") + (a > b ? ">" : "") + (a >= b ? ">=" : "") + (a == b ? "==" : "")
            + (a != b ? "!=" : "");
    }

    static String of(long a, long b) {
        return (a < b ? "<" : "") + (a <= b ? "<=" : "") + (a > b ? ">" : "") + (a >= b ? ">=" : "") + (a == b ? "==" : "")
            + (a != b ? "!=" : "");
    }

    static String of(float a, float b) {
        return (a < b ? "<" : "") + (a <= b ? "<=" : "") + (a > b ? ">" : "") + (a >= b ? ">=" : "") + (a == b ? "==" : "")
            + (a != b ? "!=" : "") + (!(a < b) ? "!<" : "") + (!(a >= b) ? "!>=" : "");
    }

    static String of(double a, double b) {
        return (a < b ? "<" : "") + (a <= b ? "<=" : "") + (a > b ? ">" : "") + (a >= b ? ">=" : "") + (a == b ? "==" : "")
            + (a != b ? "!=" : "") + (!(a < b) ? "!<" : "") + (!(a >= b) ? "!>=" : "");
    }

    static String withZero(int a) {
        return (a < 0) + "," + (a <= 0) + "," + (a > 0) + "," + (a >= 0) + "," + (a == 0) + "," + (a != 0);
    }

    public static void main(String[] args) {
        int[] ints = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
        long[] longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};
        float[] floats = {0f, -0f, 1f, Float.MIN_VALUE, Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY};
        double[] doubles = {0d, -0d, 1d, Double.MIN_VALUE, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
        for (int a : ints) {
            System.out.println(a + " zero " + withZero(a));
            for (int b : ints) {
                System.out.println(a + " " + of(a, b) + " " + b + " " + Integer.compare(a, b) + " "
                    + Integer.compareUnsigned(a, b));
            }
        }
        for (long a : longs) {
            for (long b : longs) {
                System.out.println(a + " " + of(a, b) + " " + b + " " + Long.compare(a, b) + " " + Long.compareUnsigned(a, b));
            }
        }
        for (float a : floats) {
            for (float b : floats) {
                System.out.println(a + " " + of(a, b) + " " + b + " " + Float.compare(a, b) + " "
                    + Float.valueOf(a).equals(b) + " " + Math.max(a, b) + " " + Math.min(a, b));
            }
        }
        for (double a : doubles) {
            for (double b : doubles) {
                System.out.println(a + " " + of(a, b) + " " + b + " " + Double.compare(a, b) + " "
                    + Double.valueOf(a).equals(b) + " " + Math.max(a, b) + " " + Math.min(a, b));
            }
        }
        Object x = new Object();
        Object y = new Object();
        Object none = null;
        System.out.println((x == y) + " " + (x != y) + " " + (x == x) + " " + (none == null) + " " + (x != null));
        boolean t = true;
        boolean f = false;
        System.out.println((t == f) + " " + (t != f) + " " + (t & f) + " " + (t | f) + " " + (t ^ f) + " " + !t);
        System.out.println('a' < 'b' ? 'a' : 'b');
    }
}
