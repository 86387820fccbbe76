// All primitive conversions, with saturation and truncation.
public class Conversions {
    static void ofInt(int v) {
        System.out.println("int " + v + ": " + (byte) v + " " + (short) v + " " + (int) (char) v + " " + (long) v + " "
            + (float) v + " " + (double) v);
    }

    static void ofLong(long v) {
        System.out.println("long " + v + ": " + (byte) v + " " + (short) v + " " + (int) (char) v + " " + (int) v + " "
            + (float) v + " " + (double) v);
    }

    static void ofFloat(float v) {
        System.out.println("float " + v + ": " + (byte) v + " " + (short) v + " " + (int) (char) v + " " + (int) v + " "
            + (long) v + " " + (double) v);
    }

    static void ofDouble(double v) {
        System.out.println("double " + v + ": " + (byte) v + " " + (short) v + " " + (int) (char) v + " " + (int) v + " "
            + (long) v + " " + (float) v);
    }

    public static void main(String[] args) {
        int[] ints = {0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, 16777217, Integer.MAX_VALUE,
            Integer.MIN_VALUE};
        for (int v : ints) {
            ofInt(v);
            ofLong(v);
            ofFloat(v);
            ofDouble(v);
        }
        long[] longs = {1L << 31, 1L << 32, -(1L << 31) - 1, (1L << 53) + 1, (1L << 24) + 1, Long.MAX_VALUE, Long.MIN_VALUE,
            0x123456789ABCDEFL, 0x7FFFFFBFFFFFFFFFL};
        for (long v : longs) {
            ofLong(v);
        }
        double[] doubles = {0.5, -0.5, 0.999999, 1.5, -1.5, 2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0, 1e10,
            -1e10, 9.223372036854775807e18, 1e19, -1e19, 1e300, -1e300, 1e-300, 3.4028235677973366e38, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 4.9e-324, 1.401298464324817e-45, 7e-46};
        for (double v : doubles) {
            ofDouble(v);
            ofFloat((float) v);
        }
        char c = 'x';
        c += 1;
        System.out.println(c);
        byte b = (byte) 200;
        System.out.println(b + " " + (b & 0xff) + " " + (char) (b & 0x7f));
        short s = (short) 40000;
        System.out.println(s + " " + (s & 0xffff));
    }
}
