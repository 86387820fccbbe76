// Locale data: the default locale, grouping, currencies, month and day names, case by locale.
import java.text.DateFormatSymbols;
import java.text.NumberFormat;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.format.TextStyle;
import java.util.Locale;

public class LocaleData {
    public static void main(String[] args) {
        System.out.println(Locale.getDefault() + "|" + Locale.getDefault(Locale.Category.FORMAT) + "|" + Locale.getDefault().getDisplayName());
        System.out.println(String.format("%,d %,.2f %s", 1234567, 9876543.21, 1.5));
        System.out.println(NumberFormat.getInstance().format(1234567.891) + " " + NumberFormat.getIntegerInstance().format(42.5)
            + " " + NumberFormat.getPercentInstance().format(0.256));
        System.out.println(NumberFormat.getCurrencyInstance(Locale.US).format(-1234.5) + " " + NumberFormat.getInstance(Locale.US).format(-0.0001));
        System.out.println(NumberFormat.getCompactNumberInstance(Locale.US, NumberFormat.Style.SHORT).format(12345));
        LocalDate day = LocalDate.of(2024, 2, 29);
        System.out.println(DateTimeFormatter.ofPattern("EEEE d MMMM yyyy").format(day));
        System.out.println(DateTimeFormatter.ofPattern("EEE, MMM dd uuuu", Locale.US).format(day));
        System.out.println(DateTimeFormatter.ofPattern("h:mm a").format(LocalDateTime.of(2024, 2, 29, 15, 4)));
        System.out.println(DateTimeFormatter.ofLocalizedDate(FormatStyle.MEDIUM).withLocale(Locale.US).format(day));
        System.out.println(DateTimeFormatter.ofLocalizedDate(FormatStyle.SHORT).format(day));
        System.out.println(Month.MARCH.getDisplayName(TextStyle.FULL, Locale.US) + " " + DayOfWeek.FRIDAY.getDisplayName(TextStyle.SHORT, Locale.getDefault()));
        System.out.println("title i".toUpperCase(Locale.ENGLISH) + " " + "TITLE I".toLowerCase(Locale.ROOT) + " "
            + (int) "i".toUpperCase(new Locale("tr", "TR")).charAt(0) + " " + (int) "I".toLowerCase(new Locale("tr")).charAt(0));
        System.out.println(String.join(",", new DateFormatSymbols(Locale.US).getWeekdays()));
        System.out.println(String.format(Locale.US, "%tA %<tB %<td", day) + " " + String.format("%tF", day));
        System.out.println(Locale.GERMANY.getDisplayCountry(Locale.US) + " " + Locale.FRENCH.getDisplayLanguage(Locale.US));
    }
}
