// Formatting and parsing of dates with Locale.ROOT and a fixed zone.
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

public class TimeFormat {
    public static void main(String[] args) {
        LocalDateTime dt = LocalDateTime.of(2021, 3, 4, 5, 6, 7, 89_000_000);
        for (String p : new String[] {"yyyy-MM-dd", "dd/MM/yy HH:mm:ss", "H:m:s.SSS", "D", "'on' uuuu-MM-dd", "hh:mm", "yyyyMMddHHmmss", "QQ", "M/d"}) {
            System.out.println(p + " -> " + dt.format(DateTimeFormatter.ofPattern(p, Locale.ROOT)));
        }
        System.out.println(dt.format(DateTimeFormatter.ISO_LOCAL_DATE_TIME) + " " + dt.format(DateTimeFormatter.BASIC_ISO_DATE) + " " + dt.format(DateTimeFormatter.ISO_WEEK_DATE)
            + " " + dt.format(DateTimeFormatter.ISO_ORDINAL_DATE));
        System.out.println(dt.atOffset(ZoneOffset.ofHours(-5)).format(DateTimeFormatter.ISO_OFFSET_DATE_TIME) + " " + dt.atZone(ZoneOffset.UTC).format(DateTimeFormatter
            .ofPattern("yyyy XXX", Locale.ROOT)));
        System.out.println(dt.format(DateTimeFormatter.ofPattern("EEE, d MMM yyyy", Locale.US)) + " " + dt.format(DateTimeFormatter.ofPattern("EEEE MMMM", Locale.US)));
        System.out.println(LocalDate.parse("04.03.2021", DateTimeFormatter.ofPattern("dd.MM.yyyy", Locale.ROOT)) + " " + LocalTime.parse("07:08") + " "
            + LocalDateTime.parse("2020-02-29T12:00"));
        ZonedDateTime z = ZonedDateTime.of(dt, ZoneId.of("UTC"));
        System.out.println(z + " " + z.toEpochSecond() + " " + z.withZoneSameInstant(ZoneId.of("+03:00")));
        for (String bad : new String[] {"2020-2-3", "", "2021-02-30"}) {
            try {
                LocalDate.parse(bad);
            } catch (DateTimeParseException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
