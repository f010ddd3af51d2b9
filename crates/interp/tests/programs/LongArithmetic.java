/** Long arithmetic, its constants (lconst, ldc2), comparison, and mixed int and long operands. */
public class LongArithmetic {
    static long[] samples = {0L, 1L, -1L, 3L, -10L, 1L << 32, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE, 123456789012345L};

    static String divide(long a, long b) {
        try {
            return a / b + "/" + a % b;
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    static long mix(int a, long b, short c, byte d, char e) {
        return a + b * c - d ^ e;
    }

    public static void main(String[] args) {
        for (long a : samples) {
            StringBuilder line = new StringBuilder();
            for (long b : samples) {
                line.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                line.append(a & b).append(' ').append(a | b).append(' ').append(a ^ b).append(' ');
                line.append(divide(a, b)).append(' ').append(a < b ? '<' : a == b ? '=' : '>').append(';');
            }
            System.out.println(line);
            System.out.println(-a + " " + ~a + " " + Long.toHexString(a) + " " + Long.toBinaryString(a).length());
        }
        long l = 7;
        l++;
        l += 1.9f;
        l -= 100;
        l *= l;
        l /= 3L;
        l %= 1000;
        l <<= 40L;
        l >>= 3;
        l >>>= 2L;
        System.out.println(l);
        System.out.println(mix(7, -8L, (short) 300, (byte) -5, 'x'));
        System.out.println(Long.MIN_VALUE / -1L + " " + Long.MIN_VALUE % -1L);
        System.out.println(Long.parseLong("-9223372036854775808") + " " + Long.bitCount(0xf0f0L));
        System.out.println((l > 0L) + " " + (l >= 0L) + " " + (l != 1L) + " " + (l <= 0L));
        try {
            System.out.println(Math.addExact(Long.MAX_VALUE, 1L));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
