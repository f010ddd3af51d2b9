/** Integer arithmetic: wrap-around, division towards zero, remainder signs, the one overflowing quotient. */
public class IntArithmetic {
    static int[] samples = {0, 1, -1, 2, -2, 7, -7, 100, 65535, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE};

    static String divide(int a, int b) {
        try {
            return a / b + "/" + a % b;
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        for (int a : samples) {
            StringBuilder line = new StringBuilder();
            for (int b : samples) {
                line.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                line.append(a & b).append(' ').append(a | b).append(' ').append(a ^ b).append(' ');
                line.append(divide(a, b)).append(';');
            }
            System.out.println(line);
            System.out.println(-a + " " + ~a + " " + +a);
        }
        int i = 5;
        i += 3.7;
        i -= 'a';
        i *= 3;
        i /= 2;
        i %= 50;
        i <<= 3;
        i >>= 1;
        i >>>= 28;
        i |= 0x10;
        i &= 0x1f;
        i ^= 3;
        System.out.println(i);
        int j = i++ + ++i - i-- - --i;
        System.out.println(i + " " + j);
        System.out.println(Integer.MIN_VALUE / -1);
        System.out.println(Integer.MIN_VALUE % -1);
        System.out.println(Math.floorMod(-7, 3) + " " + Math.floorDiv(-7, 3) + " " + Math.abs(Integer.MIN_VALUE));
        int big = 100;
        big += 30000;
        big += 70000;
        System.out.println(big);
    }
}
