// Hexadecimal floats, bit views of floats, ulp, next, scalb.
public class HexFloats {
    public static void main(String[] args) {
        double[] values = {0.0, -0.0, 1.0, 0.5, 1.5, 0.1, -3.75, 1e300, 4.9e-324, 2.2250738585072014e-308, Double.MAX_VALUE, Double.NaN,
            Double.POSITIVE_INFINITY, Math.PI};
        for (double d : values) {
            System.out.println(Double.toHexString(d) + " " + Float.toHexString((float) d) + " " + Math.ulp(d) + " " + Math.nextUp(d) + " "
                + Math.nextDown(d) + " " + Math.getExponent(d) + " " + Math.scalb(d, 3) + " " + Math.signum(d));
        }
        System.out.println(0x1p10 + " " + 0x1.8p1 + " " + 0x.8p0 + " " + 0x1.fffffffffffffp1023 + " " + 0x1p-1074 + " " + 0x1.99999ap-4f);
        System.out.println(Double.longBitsToDouble(0x3ff8000000000000L) + " " + Float.intBitsToFloat(0x40490fdb) + " "
            + Double.longBitsToDouble(0x7ff0000000000001L) + " " + Long.toHexString(Double.doubleToLongBits(Double.longBitsToDouble(0xfff8000000000123L))));
        System.out.println(Math.copySign(3, -0.0) + " " + Math.nextAfter(1.0, 2.0) + " " + Math.nextAfter(1f, 0) + " " + Math.ulp(1f) + " "
            + Float.MIN_NORMAL + " " + Double.MIN_NORMAL + " " + Double.isFinite(1 / 0.0) + " " + Float.isNaN(0f / 0f) + " " + Double.isInfinite(1e308 * 10));
        System.out.println(Double.parseDouble("0x1.0p0") + " " + Double.parseDouble("0x1.fffffffffffff8p0") + " " + Double.valueOf("0xap0") + " "
            + Float.parseFloat("0x1.000001p0") + " " + Double.parseDouble("-0X.Fp-4"));
    }
}
