// MessageFormat, DecimalFormat, ChoiceFormat, NumberFormat and Locale with fixed locales.
import java.text.ChoiceFormat;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.ParseException;
import java.util.Locale;

public class TextFormats {
    public static void main(String[] args) throws Exception {
        System.out.println(new MessageFormat("{0} has {1} of {2}", Locale.ROOT).format(new Object[] {"bag", 3, 1.5}));
        System.out.println(new MessageFormat("'{0}' {1,number,#.##} it''s {0}", Locale.ROOT).format(new Object[] {"x", 3.14159}));
        System.out.println(new MessageFormat("{0,choice,0#none|1#one|1<many {0}}", Locale.ROOT).format(new Object[] {5}));
        System.out.println(new MessageFormat("{1}{0}{3}", Locale.ROOT).format(new Object[] {"a", null}));
        DecimalFormatSymbols root = DecimalFormatSymbols.getInstance(Locale.ROOT);
        for (String p : new String[] {"0", "#,##0.00", "0.###E0", "00.0%", "#.#", "0000", "'n'0;(0)"}) {
            DecimalFormat f = new DecimalFormat(p, root);
            System.out.println(p + ": " + f.format(1234.567) + " " + f.format(-0.5) + " " + f.format(0) + " " + f.format(2.5));
        }
        System.out.println(new DecimalFormat("#,##0.00", root).parse("1,234.5") + " " + NumberFormat.getIntegerInstance(Locale.ROOT).format(1234567.8));
        try {
            new DecimalFormat("0", root).parse("x");
        } catch (ParseException e) {
            System.out.println(e.getMessage() + " " + e.getErrorOffset());
        }
        System.out.println(new ChoiceFormat("0#zero|1#one|2#more").format(7));
        System.out.println(Locale.ROOT.toString().isEmpty() + " " + Locale.US + " " + Locale.forLanguageTag("de-CH").getCountry() + " " + Locale.FRENCH.toLanguageTag() + " "
            + new Locale("en", "GB").equals(Locale.UK));
        System.out.println("TITLE I".toLowerCase(Locale.ROOT) + " " + "straight i".toUpperCase(Locale.ROOT));
    }
}
