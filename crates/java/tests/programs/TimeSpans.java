// Durations, periods, instants, zones, and what goes wrong with them.
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;

public class TimeSpans {
    public static void main(String[] args) {
        Duration d = Duration.ofMinutes(135).plusMillis(250).minusNanos(1);
        System.out.println(d + " " + d.toHoursPart() + " " + d.toMinutesPart() + " " + d.toMillis() + " " + Duration.parse("PT-1.5S") + " " + Duration.ZERO.compareTo(d));
        System.out.println(Period.between(LocalDate.of(2023, 1, 31), LocalDate.of(2024, 3, 1)) + " " + Period.parse("P1Y2M3W4D") + " " + ChronoUnit.DAYS.between(LocalDate.of(2024, 1, 1), LocalDate.of(2025, 1, 1)));
        LocalDate leap = LocalDate.of(2024, 2, 29);
        System.out.println(leap.plusYears(1) + " " + leap.minusMonths(12) + " " + leap.with(TemporalAdjusters.firstInMonth(DayOfWeek.MONDAY)) + " " + leap.getDayOfYear() + " " + leap.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) + " " + Year.isLeap(1900) + " " + YearMonth.of(2023, 2).atEndOfMonth());
        ZonedDateTime paris = ZonedDateTime.of(LocalDateTime.of(2024, 3, 31, 1, 59), ZoneId.of("Europe/Paris"));
        System.out.println(paris.plusMinutes(1) + " " + paris.plusMinutes(1).toInstant() + " " + paris.withZoneSameInstant(ZoneId.of("America/New_York")) + " " + paris.toOffsetDateTime().withOffsetSameInstant(ZoneOffset.ofHours(-3)));
        System.out.println(Instant.ofEpochSecond(1_700_000_000L, 5) + " " + Instant.EPOCH.plus(1, ChronoUnit.DAYS).toEpochMilli() + " " + Instant.MAX.getEpochSecond() + " " + Instant.parse("2024-01-01T00:00:00Z").truncatedTo(ChronoUnit.HOURS));
        System.out.println(LocalTime.MIDNIGHT.minusSeconds(1) + " " + LocalTime.parse("10:15:30.5").toNanoOfDay() + " " + DateTimeFormatter.ISO_WEEK_DATE.format(leap) + " " + DateTimeFormatter.ofPattern("dd/MM/uu HH.mm.ss.SSS").format(leap.atTime(1, 2, 3, 4_000_000)));
        for (String bad : new String[] {"2024-02-30", "2024-13-01", "x", "2024-2-1"}) {
            try {
                System.out.println(LocalDate.parse(bad));
            } catch (DateTimeParseException e) {
                System.out.println(e.getMessage() + " @" + e.getErrorIndex());
            }
        }
        try {
            LocalDate.of(2023, 2, 29);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        try {
            ZoneId.of("Mars/Base");
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(TimeUnit.HOURS.toSeconds(3) + " " + TimeUnit.NANOSECONDS.toMicros(1999) + " " + TimeUnit.MILLISECONDS.convert(Duration.ofSeconds(2)) + " " + TimeUnit.DAYS.toChronoUnit());
        Calendar calendar = new GregorianCalendar(2024, Calendar.DECEMBER, 31, 23, 59, 59);
        calendar.setTimeZone(TimeZone.getTimeZone("UTC"));
        calendar.add(Calendar.SECOND, 1);
        System.out.println(calendar.get(Calendar.YEAR) + " " + calendar.get(Calendar.DAY_OF_WEEK) + " " + calendar.get(Calendar.WEEK_OF_YEAR) + " " + calendar.getActualMaximum(Calendar.DAY_OF_MONTH));
        System.out.println(new Date(0).toInstant() + " " + new Date(1).after(new Date(0)) + " " + new Date(86_400_000L));
        System.out.println(String.format("%tY-%<tm-%<td %<tH:%<tM:%<tS.%<tL %<tZ %<tj", ZonedDateTime.of(2024, 5, 6, 7, 8, 9, 10_000_000, ZoneOffset.UTC)));
    }
}
