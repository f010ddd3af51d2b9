import java.time.*;
import java.time.temporal.ChronoUnit;
import java.util.*;

/** java.time without zones: dates, times, durations, periods, and the arithmetic between them. */
public class Dates {
    public static void main(String[] args) {
        LocalDate leap = LocalDate.of(2024, 2, 29);
        System.out.println(leap.plusYears(1) + " " + leap.minusMonths(13) + " " + leap.getDayOfWeek() + " " + leap.getDayOfYear() + " " + leap.isLeapYear());
        System.out.println(ChronoUnit.DAYS.between(LocalDate.of(1970, 1, 1), leap) + " " + leap.toEpochDay() + " " + LocalDate.ofEpochDay(-1) + " " + LocalDate.of(-44, 3, 15));
        System.out.println(Period.between(leap, LocalDate.of(2030, 1, 1)) + " " + leap.until(LocalDate.of(2024, 12, 24), ChronoUnit.WEEKS));
        LocalTime time = LocalTime.of(23, 59, 30);
        System.out.println(time.plusSeconds(45) + " " + time.truncatedTo(ChronoUnit.HOURS) + " " + time.toSecondOfDay() + " " + LocalTime.MIDNIGHT);
        LocalDateTime moment = LocalDateTime.of(leap, time).plusNanos(30_000_000_001L);
        System.out.println(moment + " " + moment.toLocalDate().equals(leap) + " " + moment.compareTo(leap.atStartOfDay()));
        System.out.println(Duration.ofMinutes(135).plusMillis(7) + " " + Duration.between(leap.atStartOfDay(), moment) + " " + Duration.ofSeconds(-1).abs().toMillis());
        System.out.println(Instant.ofEpochSecond(1_700_000_000L) + " " + Instant.EPOCH.plus(1, ChronoUnit.DAYS).getEpochSecond());
        System.out.println(LocalDate.parse("2001-09-09").plusWeeks(2) + " " + LocalTime.parse("10:15:30").minusHours(11) + " " + Duration.parse("PT1H30M").toMinutes());
        System.out.println(DayOfWeek.MONDAY.plus(10) + " " + Month.JANUARY.minus(1) + " " + Year.isLeap(1900) + " " + YearMonth.of(2023, 2).lengthOfMonth());
        try {
            LocalDate.of(2023, 2, 30);
        } catch (DateTimeException e) {
            System.out.println(e.getMessage());
        }
        OffsetDateTime offset = moment.atOffset(ZoneOffset.ofHours(2));
        System.out.println(offset + " " + offset.toInstant() + " " + ZoneOffset.of("-03:30").getTotalSeconds());
        TreeSet<LocalDate> sorted = new TreeSet<>(List.of(leap, leap.plusDays(1), leap.minusDays(1)));
        System.out.println(sorted + " " + sorted.ceiling(leap));
    }
}
