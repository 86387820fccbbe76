// String.format in its corners: widths, flags, indices, dates, errors; numbers as text.
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Formattable;
import java.util.Formatter;
import java.util.IllegalFormatException;
import java.util.Locale;

public class FormatCorners {
    record Money(long cents) implements Formattable {
        @Override
        public void formatTo(Formatter formatter, int flags, int width, int precision) {
            formatter.format("<%d.%02d|%d|%d|%d>", cents / 100, cents % 100, flags, width, precision);
        }
    }

    static void f(String format, Object... args) {
        try {
            System.out.println("[" + String.format(Locale.ROOT, format, args) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        f("%5d|%-5d|%05d|%+d|% d|%(d|%,d", 42, 42, 42, 42, 42, -42, -1234567);
        f("%x %X %#x %o %#o %08x", 255, 255, 255, 8, 8, -1);
        f("%b %B %b %c %C %c", true, null, "x", 'a', 'b', 0x1F600);
        f("%s %10s|%-10s|%.3s|%S", "text", "text", "text", "text", "text");
        f("%f %.0f %.3f %10.2f %-10.2f| %010.2f %+.1f", 1.5, 2.5, Math.PI, Math.E, Math.E, -Math.E, 0.05);
        f("%e %.2E %g %g %g %a", 12345.678, 0.00012, 12345.678, 0.00001234, 1e10, 1.0);
        f("%f %f %e %s %s", Double.NaN, Double.NEGATIVE_INFINITY, 0.0, -0.0, Double.MIN_VALUE);
        f("%2$s %1$s %<s %s %s", "a", "b");
        f("%d %d %d %d", (byte) -1, (short) 7, Long.MIN_VALUE, new BigInteger("123456789012345678901234567890"));
        f("%x %X %x", (byte) -1, new BigInteger("-255"), Long.MIN_VALUE);
        f("%.5f %s %,.3f", new BigDecimal("1.23456789"), new BigDecimal("1E+3"), new BigDecimal("1234567.0005"));
        f("%s %-20s| %#.3S", new Money(1234), new Money(5), new Money(99));
        f("%h %h %s %n%%", "hello", null, new int[0].getClass());
        f("%d", "x");
        f("%q", 1);
        f("%s %s", 1);
        f("%-d", 1);
        f("%,s", 1);
        f("%.2d", 1);
        f("%c", 0x110000);
        f("%+-05d", 1);
        f("%5");
        f("%#d", 1);
        f("%1$s %3$s", 1, 2);
        System.out.println(1.0f + " " + 1e7f + " " + 1.0E-5 + " " + 123456789.0f + " " + 0.1f + " " + (double) 0.1f + " " + 100.0 + " " + 1e21 + " " + 2e-3);
        System.out.println(Float.MIN_VALUE + " " + Float.MAX_VALUE + " " + Double.MAX_VALUE + " " + (float) 1e10 + " " + 3.4e38f * 10 + " " + 0.0 / 0);
        System.out.println(Double.toHexString(0.1) + " " + Double.parseDouble("0x1.8p1") + " " + Float.parseFloat("1e-50") + " " + Double.valueOf("  12.5e1d "));
        System.out.println(Integer.toString(-255, 16) + " " + Integer.toUnsignedString(-1) + " " + Long.toBinaryString(5) + " " + Integer.parseInt("-zz", 36) + " " + Long.parseUnsignedLong("18446744073709551615"));
        System.out.println(new BigDecimal("123.4500").stripTrailingZeros() + " " + new BigDecimal("1e5").toPlainString() + " " + new BigDecimal(0.1).toString().length());
        System.out.println(String.format("%-8s|%8s|", "ab", null) + "%d items".formatted(3) + String.valueOf((Object) null) + 'c' + 1 + 2L + 3.0f + (char) ('a' + 1) + (int) 'a');
    }
}
