// Formatter conversions, flags, widths and errors, with Locale.ROOT.
import java.util.Locale;

public class StringFormat {
    static void f(String format, Object... args) {
        try {
            System.out.println("[" + String.format(Locale.ROOT, format, args) + "]");
        } catch (java.util.IllegalFormatException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        f("%d %5d %-5d| %05d %+d %,d %(d %x %X %o %#x %08X", 1, 42, 42, 42, 42, 1234567, -5, 255, 255, 8, 255, 0xbeef);
        f("%d %d %d %d %x %x", (byte) -1, (short) -2, -3L, Long.MIN_VALUE, (byte) -1, -1L);
        f("%d %,d %x", new java.math.BigInteger("123456789012345678901234567890"), new java.math.BigInteger("-1234567"), java.math.BigInteger.TEN);
        f("%f %.2f %10.3f %-10.1f| %+.1f %e %.3e %g %a %.0f %,.2f", 3.14159, 2.71828, 1.5, 2.25, 1.0, 12345.678, 0.00012, 0.0001, 1.0, 2.5, 1e7);
        f("%f %f %f %5.1f %e %g", Double.NaN, Double.POSITIVE_INFINITY, -0.0, Double.NEGATIVE_INFINITY, 0.0, 1e10);
        f("%.1f %.1f %.1f %.1f %.2f %.3f", 0.05, 0.15, 0.25, 0.35, 1.005, 2.0005);
        f("%s %S %10s %-10s| %.3s %s %s", "str", "str", "right", "left", "truncate", null, new int[0].length);
        f("%c %C %c %c", 'a', 'b', 65, Character.valueOf('z'));
        f("%b %B %b %b %10b", true, false, null, "x", true);
        f("%h %H %h", "hello", "hello", null);
        f("%% %n".trim());
        f("%2$s %1$s %2$s %<s", "first", "second");
        f("%s %s", java.util.List.of(1, 2), java.util.Optional.of("x"));
        f("%08.2f|% d|%s", -3.14159, 42, 1.0f);
        f("%-8s|%8s|%08d", "ab", "cd", -42);
        f("%.2f %.5f", new java.math.BigDecimal("1.005"), new java.math.BigDecimal("123.456"));
        f("%d", "text");
        f("%s %s", "one");
        f("%q", 1);
        f("%-d", 1);
        f("%.2d", 1);
        f("%c", 0x110000);
        f("%#s", "x");
        f("%5");
        System.out.printf(Locale.ROOT, "%s=%d%n", "printf", 7);
        System.out.format(Locale.ROOT, "%3d|%-3d|%03d%n", 5, 5, 5);
        StringBuilder b = new StringBuilder();
        try (java.util.Formatter fm = new java.util.Formatter(b, Locale.ROOT)) {
            fm.format("%s-", "a").format("%s", "b");
        }
        System.out.println(b);
        f("%tY-%<tm-%<td %<tH:%<tM:%<tS", java.time.LocalDateTime.of(2020, 2, 29, 13, 5, 9));
        f("%tB %<tA %<tj %<tF %<tT", java.time.LocalDateTime.of(2021, 12, 24, 1, 2, 3));
        f(Locale.ROOT.toString() + "%s", "end");
    }
}
