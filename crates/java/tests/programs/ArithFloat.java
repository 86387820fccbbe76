// float arithmetic, shown by value and by bits.
public class ArithFloat {
    static final float[] VALUES = {
        0f, -0f, 1f, -1f, 0.1f, 3.5f, -2.5f, 1e-45f, 1.17549435e-38f, 3.4028235e38f, 16777216f, 16777217f,
        Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN,
    };

    static String show(float f) {
        return f + "[" + Integer.toHexString(Float.floatToIntBits(f)) + "]";
    }

    public static void main(String[] args) {
        for (float a : VALUES) {
            System.out.println("a=" + show(a) + " -a=" + show(-a));
            for (float b : VALUES) {
                System.out.println("  b=" + show(b) + " + " + show(a + b) + " - " + show(a - b) + " * " + show(a * b)
                    + " / " + show(a / b) + " % " + show(a % b));
            }
        }
        float sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += 0.1f;
        }
        System.out.println(show(sum));
        float f = 16777216f;
        f++;
        System.out.println(show(f));
        System.out.println(0.1f + 0.2f == 0.3f);
        System.out.println(0.1f + 0.2 == 0.3);
        System.out.println((float) 0.1 == 0.1);
    }
}
