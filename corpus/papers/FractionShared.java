// An immutable fraction shared by two threads without a lock: final fields are written in the constructor only.
package papers;

public class FractionShared {
    static final class Fraction {
        private final long numerator;
        private final long denominator;

        Fraction(long num, long den) {
            boolean sameSign = (num >= 0) == (den >= 0);
            long g = gcd(Math.abs(num), Math.abs(den));
            numerator = sameSign ? Math.abs(num) / g : -Math.abs(num) / g; //~ NORACE: final
            denominator = Math.abs(den) / g; //~ NORACE: final
        }

        static long gcd(long a, long b) {
            return b == 0 ? a : gcd(b, a % b);
        }

        Fraction plus(Fraction f) {
            return new Fraction(numerator * f.denominator + f.numerator * denominator, denominator * f.denominator);
        }

        @Override
        public String toString() {
            return numerator + "/" + denominator; //~ NORACE: final
        }
    }

    public static void main(String[] args) throws Exception {
        Fraction half = new Fraction(1, 2);
        Thread a = new Thread(() -> half.plus(half));
        Thread b = new Thread(() -> half.plus(new Fraction(1, 3)));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(half.plus(half));
    }
}
