import java.util.Locale;

/** String.format and printf: widths, flags, precision, dates left out. */
public class Format {
    public static void main(String[] args) {
        System.out.println(String.format("%d|%5d|%-5d|%05d|%+d|%,d|%x|%X|%o", 42, 42, 42, 42, 42, 1234567, 255, 255, 8));
        System.out.println(String.format("%s|%10s|%-10s|%.2s|%S|%c|%b|%%|%n", "text", "right", "left", "cut", "upper", 'c', true).trim());
        System.out.println(String.format("%f|%.2f|%10.3f|%e|%g|%-8.1f|%+.1f|%08.2f", 3.14159, 3.14159, 3.14159, 31415.9, 0.00012345, 2.25, 2.35, -3.5));
        System.out.println(String.format("%2$s %1$s %2$s %s %<s", "a", "b"));
        System.out.println(String.format("%h %d %d %d %s", "hash", Long.MAX_VALUE, (byte) -1, (short) 7, null));
        System.out.println(String.format(Locale.US, "%,.3f %(d %x", 9876543.21, -5, -1));
        System.out.printf("%s has %d items costing %.2f%n", "cart", 3, 9.99);
        System.out.println(String.format("%.0f %.1f %.3f %.10f", 0.5, 0.25, 1.0005, 1 / 3.0));
        System.out.println(String.format("%f %f %e", Double.NaN, Double.POSITIVE_INFINITY, 0.0));
        for (String bad : new String[]{"%q", "%d", "%.2d"}) {
            try {
                System.out.println(String.format(bad, "x"));
            } catch (java.util.IllegalFormatException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        System.out.println(String.format("%s %s", new int[]{1}.length, java.util.List.of(1, 2)));
        System.out.println(String.format("%d", new java.math.BigInteger("123456789123456789123")));
        System.out.println(String.format("|%6b|%-6c|%6x|", false, 'z', 0xabc));
    }
}
