// java.time without clocks: dates, times, periods, durations, adjusters.
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

public class TimeDates {
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 28);
        System.out.println(d + " " + d.plusDays(1) + " " + d.plusDays(2) + " " + d.plusMonths(12) + " " + d.minusYears(1).plusDays(1) + " " + d.getDayOfWeek() + " "
            + d.getDayOfYear() + " " + d.isLeapYear() + " " + d.lengthOfMonth() + " " + d.withDayOfMonth(1) + " " + d.toEpochDay() + " " + LocalDate.ofEpochDay(0));
        System.out.println(LocalDate.of(2024, 1, 31).plusMonths(1) + " " + ChronoUnit.DAYS.between(LocalDate.of(2000, 1, 1), d) + " " + Period.between(LocalDate.of(
            1999, 12, 25), d) + " " + d.until(LocalDate.of(2025, 1, 1)) + " " + d.with(TemporalAdjusters.lastDayOfMonth()) + " " + d.with(TemporalAdjusters.next(
                DayOfWeek.MONDAY)) + " " + d.isBefore(LocalDate.MAX) + " " + d.compareTo(LocalDate.of(2024, 3, 1)));
        LocalTime t = LocalTime.of(23, 59, 30);
        System.out.println(t + " " + t.plusSeconds(45) + " " + t.minusHours(25) + " " + t.toSecondOfDay() + " " + t.withNano(5000000) + " " + LocalTime.MIDNIGHT + " "
            + t.truncatedTo(ChronoUnit.HOURS) + " " + LocalTime.parse("10:15").isBefore(t));
        LocalDateTime dt = LocalDateTime.of(d, t);
        System.out.println(dt + " " + dt.plusSeconds(30) + " " + dt.toEpochSecond(ZoneOffset.UTC) + " " + dt.get(ChronoField.MINUTE_OF_DAY) + " " + ChronoUnit.HOURS.between(
            dt, dt.plusDays(3)));
        Duration du = Duration.ofSeconds(3725, 500_000_000);
        System.out.println(du + " " + du.toMinutes() + " " + du.toHoursPart() + " " + du.negated() + " " + du.multipliedBy(3) + " " + du.dividedBy(2) + " " + du.toMillis() + " "
            + Duration.between(LocalTime.NOON, t) + " " + Duration.parse("PT1H30M").getSeconds() + " " + Duration.ZERO + " " + Duration.ofMillis(-1));
        System.out.println(Period.of(1, 14, 40) + " " + Period.of(1, 14, 40).normalized() + " " + Period.parse("P2Y3M").toTotalMonths());
        Instant i = Instant.ofEpochSecond(1_000_000_000L, 123);
        System.out.println(i + " " + Instant.EPOCH + " " + i.plusMillis(7) + " " + i.toEpochMilli() + " " + i.atOffset(ZoneOffset.ofHours(2)) + " " + Instant.parse(
            "2020-01-01T00:00:00Z").getEpochSecond() + " " + Instant.ofEpochMilli(-1));
        OffsetDateTime o = OffsetDateTime.of(dt, ZoneOffset.ofHoursMinutes(5, 30));
        System.out.println(o + " " + o.withOffsetSameInstant(ZoneOffset.UTC) + " " + o.toInstant());
        System.out.println(Year.of(1900).isLeap() + " " + YearMonth.of(2023, 2).atEndOfMonth() + " " + Month.FEBRUARY.plus(11) + " " + DayOfWeek.MONDAY.minus(1) + " "
            + Month.of(12).maxLength());
        for (int k = 0; k < 3; k++) {
            try {
                switch (k) {
                    case 0 -> LocalDate.of(2023, 2, 29);
                    case 1 -> LocalTime.of(25, 0);
                    default -> LocalDate.parse("2023-13-01");
                }
            } catch (DateTimeException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
