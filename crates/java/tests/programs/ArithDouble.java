// double arithmetic, shown by value and by bits.
public class ArithDouble {
    static final double[] VALUES = {
        0d, -0d, 1d, -1d, 0.1, 2.5, -3.75, 4.9e-324, 2.2250738585072014E-308, Double.MAX_VALUE, 9007199254740992.0,
        9007199254740993.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN,
    };

    static String show(double d) {
        return d + "[" + Long.toHexString(Double.doubleToLongBits(d)) + "]";
    }

    public static void main(String[] args) {
        for (double a : VALUES) {
            System.out.println("a=" + show(a) + " -a=" + show(-a));
            for (double b : VALUES) {
                System.out.println("  b=" + show(b) + " + " + show(a + b) + " - " + show(a - b) + " * " + show(a * b)
                    + " / " + show(a / b) + " % " + show(a % b));
            }
        }
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += 0.1;
        }
        System.out.println(show(sum) + " " + (sum == 1.0));
        double product = 1;
        for (int i = 1; i <= 30; i++) {
            product *= i;
        }
        System.out.println(show(product));
        System.out.println(1 / 3.0 + " " + 2 / 3.0 + " " + 100 / 3.0);
    }
}
