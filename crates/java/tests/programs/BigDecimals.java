// BigDecimal: scale, rounding, division, text.
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

public class BigDecimals {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("1.10");
        BigDecimal b = new BigDecimal("2.345");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.negate() + " " + a.scale() + " " + b.precision() + " " + b.unscaledValue() + " "
            + a.equals(new BigDecimal("1.1")) + " " + a.compareTo(new BigDecimal("1.1")) + " " + a.stripTrailingZeros() + " " + a.hashCode() + " " + a.pow(7));
        for (RoundingMode mode : RoundingMode.values()) {
            StringBuilder s = new StringBuilder(mode + ":");
            for (String v : new String[] {"5.5", "2.5", "1.6", "1.1", "1.0", "-1.1", "-2.5", "-5.5"}) {
                try {
                    s.append(' ').append(new BigDecimal(v).setScale(0, mode));
                } catch (ArithmeticException e) {
                    s.append(" !");
                }
            }
            System.out.println(s);
        }
        System.out.println(BigDecimal.ONE.divide(new BigDecimal(3), 20, RoundingMode.HALF_UP) + " " + BigDecimal.ONE.divide(new BigDecimal(3), MathContext.DECIMAL32)
            + " " + BigDecimal.ONE.divide(new BigDecimal(8)) + " " + BigDecimal.TEN.divideToIntegralValue(b) + " " + BigDecimal.TEN.remainder(b));
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            BigDecimal.ONE.divide(BigDecimal.ZERO);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("1e5") + " " + new BigDecimal("1e5").toPlainString() + " "
            + new BigDecimal("1.23E-10") + " " + new BigDecimal("1.23E-10").toPlainString() + " " + new BigDecimal("12345678e7").toEngineeringString() + " "
            + new BigDecimal("0.000").stripTrailingZeros() + " " + new BigDecimal("100").stripTrailingZeros());
        System.out.println(b.intValue() + " " + b.doubleValue() + " " + b.toBigInteger() + " " + b.movePointLeft(5) + " " + b.movePointRight(5) + " " + b.round(
            new MathContext(2)) + " " + b.ulp() + " " + b.signum() + " " + new BigDecimal("2").sqrt(new MathContext(30)) + " " + b.max(a) + " " + b.abs());
        BigDecimal pi = BigDecimal.ZERO;
        BigDecimal sixteen = BigDecimal.ONE;
        for (int k = 0; k < 20; k++) {
            BigDecimal t = term(4, 8 * k + 1).subtract(term(2, 8 * k + 4)).subtract(term(1, 8 * k + 5)).subtract(term(1, 8 * k + 6));
            pi = pi.add(t.divide(sixteen, 30, RoundingMode.HALF_EVEN));
            sixteen = sixteen.multiply(BigDecimal.valueOf(16));
        }
        System.out.println(pi.setScale(20, RoundingMode.HALF_EVEN));
        try {
            new BigDecimal("abc");
        } catch (NumberFormatException e) {
            System.out.println("bad number");
        }
    }

    static BigDecimal term(int a, int b) {
        return BigDecimal.valueOf(a).divide(BigDecimal.valueOf(b), 30, RoundingMode.HALF_EVEN);
    }
}
