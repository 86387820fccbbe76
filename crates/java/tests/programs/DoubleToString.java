// Double.toString and Float.toString over many values, with round trips.
public class DoubleToString {
    public static void main(String[] args) {
        double[] values = {0.0, -0.0, 1.0, 0.1, 0.2, 0.3, 1.0 / 3, 2.0 / 3, 100.0, 1000000.0, 9999999.0, 10000000.0, 12345678.9, 0.001, 0.0009999,
            1e21, 1e22, 1e23, 1.5e-10, 123456789.123, 4.9e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, Math.PI,
            Math.E, 1e15, 1e16, 1e17, 5e-5, 2147483647.0, 9007199254740991.0, 9007199254740993.0, 0.3 - 0.2, 1.1 * 1.1, 1e-7, 3.3e-7,
            Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.0E10, 8.41e21, 9.5367431640625e-7};
        for (double d : values) {
            String s = Double.toString(d);
            System.out.println(s + " " + -d + " " + Long.toHexString(Double.doubleToRawLongBits(d)) + " "
                + (Double.compare(Double.parseDouble(s), d) == 0));
        }
        float[] floats = {0f, -0f, 0.1f, 0.2f, 0.3f, 1f / 3, 100f, 1e7f, 9999999f, 1.0e-3f, 9.99e-4f, 1.4e-45f, 1.17549435e-38f, 3.4028235e38f,
            16777216f, 3.1415927f, 1e10f, 1.1f * 1.1f, 33554432f, Float.NaN, Float.POSITIVE_INFINITY, 8.5e-6f, 2.0e-3f};
        for (float f : floats) {
            String s = Float.toString(f);
            System.out.println(s + " " + (double) f + " " + Integer.toHexString(Float.floatToIntBits(f)) + " "
                + (Float.compare(Float.parseFloat(s), f) == 0));
        }
        double x = 1;
        for (int i = 0; i < 25; i++) {
            System.out.print(x + " ");
            x *= 10;
        }
        System.out.println();
        x = 1;
        for (int i = 0; i < 15; i++) {
            System.out.print(x + " ");
            x /= 3;
        }
        System.out.println();
    }
}
