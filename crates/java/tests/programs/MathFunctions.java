// Math: exact functions printed in full, transcendental ones by StrictMath or rounded.
public class MathFunctions {
    public static void main(String[] args) {
        double[] values = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999999999999994, 1e15 + 0.5, 4503599627370497.5, -4503599627370497.5, 1e300,
            Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 4.9e-324, 2147483647.5, -2147483648.5, 9.3e18};
        for (double d : values) {
            System.out.println(d + ": " + Math.floor(d) + " " + Math.ceil(d) + " " + Math.rint(d) + " " + Math.round(d) + " " + Math.round((float) d)
                + " " + Math.abs(d) + " " + Math.sqrt(d) + " " + Math.signum(d));
        }
        System.out.println(Math.sqrt(2) + " " + Math.sqrt(-1) + " " + Math.sqrt(1e300) + " " + Math.fma(2.0, 3.0, 1.0) + " "
            + Math.fma(1e16, 1.0000000000000002, -1e16) + " " + Math.IEEEremainder(5, 3) + " " + Math.IEEEremainder(-7.5, 2));
        System.out.println(Math.max(-0.0, 0.0) + " " + Math.min(-0.0, 0.0) + " " + Math.max(Double.NaN, 1) + " " + Math.min(1, 2L) + " "
            + Math.abs(Integer.MIN_VALUE) + " " + Math.abs(-0f) + " " + Math.hypot(3, 4) + " " + Math.cbrt(27) + " " + Math.pow(2, 10) + " "
            + Math.pow(2, -1) + " " + Math.pow(0, 0) + " " + Math.pow(-8, 1.0 / 3) + " " + Math.pow(10, 15));
        System.out.println(Math.floorDiv(-7, 3) + " " + Math.floorMod(-7, 3) + " " + Math.floorMod(7, -3) + " " + Math.floorMod(7L, -3) + " "
            + Math.toDegrees(Math.PI) + " " + Math.toRadians(180) + " " + Math.log10(1000) + " " + Math.exp(0) + " " + Math.log(1));
        double[] angles = {0, 0.5, 1, 2, 3, -1, 10, 100};
        for (double a : angles) {
            System.out.println(StrictMath.sin(a) + " " + StrictMath.cos(a) + " " + StrictMath.tan(a) + " " + StrictMath.atan(a) + " "
                + StrictMath.exp(a / 10) + " " + StrictMath.sinh(a / 10) + " " + StrictMath.tanh(a) + " " + StrictMath.cbrt(a) + " "
                + StrictMath.expm1(a / 100));
            System.out.println(StrictMath.log(Math.abs(a) + 1) + " " + StrictMath.log10(Math.abs(a) + 2) + " " + StrictMath.log1p(Math.abs(a)) + " "
                + StrictMath.asin(a / 100) + " " + StrictMath.acos(a / 100) + " " + StrictMath.atan2(a, 3) + " " + StrictMath.pow(1.1, a) + " "
                + StrictMath.hypot(a, 1) + " " + StrictMath.cosh(a / 10));
        }
        System.out.println(StrictMath.atan2(0.0, -0.0) + " " + StrictMath.atan2(-0.0, -1) + " " + StrictMath.log(0) + " " + StrictMath.log(-1) + " "
            + StrictMath.exp(1000) + " " + StrictMath.exp(-1000) + " " + StrictMath.pow(Double.NaN, 0) + " " + StrictMath.sin(1e10) + " "
            + StrictMath.asin(2) + " " + StrictMath.pow(-2, 3) + " " + StrictMath.pow(2, 1024));
        for (double a : angles) {
            System.out.print(Math.round(Math.sin(a) * 1e9) + " " + Math.round(Math.exp(a / 50) * 1e9) + " " + Math.round(Math.log(a + 5) * 1e9) + " ");
        }
        System.out.println();
    }
}
