// Locale data of other languages, which comes from the module jdk.localedata.
import java.text.NumberFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

public class LocaleForeign {
    public static void main(String[] args) {
        System.out.println(NumberFormat.getInstance(Locale.GERMANY).format(1234567.891));
        System.out.println(String.format(Locale.GERMANY, "%,d %.2f", 1234567, 3.14159));
        System.out.println(DateTimeFormatter.ofPattern("EEEE d MMMM yyyy", Locale.GERMANY).format(LocalDate.of(2024, 3, 1)));
        System.out.println(DateTimeFormatter.ofPattern("EEEE d MMM yyyy", Locale.ITALY).format(LocalDate.of(2024, 1, 1)));
        System.out.println(Locale.GERMANY.getDisplayCountry(Locale.GERMANY));
    }
}
