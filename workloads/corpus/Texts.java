// Text: formatting, regular expressions, scanners, builders, time and locale, number formats, comparators of text.

import java.text.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.time.temporal.*;
import java.util.*;
import java.util.regex.*;

public class Texts {
    static class Money implements Formattable, Comparable<Money> {
        final long cents;
        Money(long cents) { this.cents = cents; }
        @Override public void formatTo(Formatter formatter, int flags, int width, int precision) { formatter.format("%d,%02d", cents / 100, cents % 100); }
        @Override public int compareTo(Money other) { return Long.signum(cents - other.cents); }
        @Override public String toString() { return String.format("%s", this); }
    }

    static class Word implements CharSequence {
        private final char[] letters;
        Word(String text) { letters = text.toCharArray(); }
        @Override public int length() { return letters.length; }
        @Override public char charAt(int index) { return letters[index]; }
        @Override public CharSequence subSequence(int start, int end) { return new String(letters, start, end - start); }
        @Override public String toString() { return new String(letters); }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(String.format(Locale.ROOT, "%5.2f|%-6s|%08x|%,d|%b", 3.14159, "ab", 255, 1234567, true));
        System.out.println(new Money(1234) + " " + Collections.max(List.of(new Money(5), new Money(7))));
        Matcher matcher = Pattern.compile("(?<key>\\w+)=(\\d+)").matcher(new Word("a=1, bc=22"));
        while (matcher.find()) System.out.print(matcher.group("key") + matcher.group(2).length() + " ");
        System.out.println("x1y22".replaceAll("\\d+", "<$0>") + Pattern.compile(",").splitAsStream("p,q").toList()
            + Pattern.compile("[a-c]").matcher("abcd").replaceAll(found -> found.group().toUpperCase(Locale.ROOT)));
        try (Scanner scanner = new Scanner("12 word 3.5\nnext line").useLocale(Locale.ROOT)) {
            System.out.println(scanner.nextInt() + scanner.next() + scanner.nextDouble() + scanner.nextLine() + scanner.nextLine());
        }
        StringBuilder builder = new StringBuilder("abc").append(new Word("def"), 1, 3).insert(0, 42).reverse().deleteCharAt(0);
        System.out.println(builder + String.join("-", new TreeSet<>(List.of("z", "y"))) + new StringJoiner("/", "[", "]").add("j"));
        LocalDate date = LocalDate.of(2020, Month.FEBRUARY, 28).plusDays(2).with(TemporalAdjusters.lastDayOfMonth());
        System.out.println(date + " " + Duration.ofMinutes(90) + " " + Period.between(LocalDate.EPOCH, date).getYears() + " "
            + ZonedDateTime.of(date, LocalTime.NOON, ZoneOffset.UTC).format(DateTimeFormatter.ISO_INSTANT) + " " + ChronoUnit.DAYS.between(LocalDate.EPOCH, date));
        SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
        format.setTimeZone(TimeZone.getTimeZone("UTC"));
        System.out.println(format.format(new Date(0)) + " " + new DecimalFormat("#,##0.00", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(1234.5));
        System.out.println(MessageFormat.format("{0} has {1,number,integer}", "it", 3) + Collator.getInstance(Locale.ROOT).compare("a", "B"));
        System.out.println("héllo".getBytes("UTF-8").length + new String(new byte[] {(byte) 0xe9}, "ISO-8859-1") + "abc".chars().sum() + "Straße".toUpperCase(Locale.GERMAN));
        System.out.println(new java.math.BigInteger("123456789012345678901234567890").pow(3).mod(java.math.BigInteger.TEN)
            + " " + new java.math.BigDecimal("10").divide(new java.math.BigDecimal("3"), java.math.MathContext.DECIMAL32));
        System.out.println(Base64.getEncoder().encodeToString("data".getBytes()) + UUID.nameUUIDFromBytes("n".getBytes()));
    }
}
