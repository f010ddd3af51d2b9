// An immutable fraction for each thread: neither shared nor changed.
package papers;

public class FractionSeparate {
    static final class Fraction {
        private final long numerator;
        private final long denominator;

        Fraction(long numerator, long denominator) {
            this.numerator = numerator; //~ NORACE: final
            this.denominator = denominator; //~ NORACE: final
        }

        Fraction times(Fraction f) {
            return new Fraction(numerator * f.numerator, denominator * f.denominator); //~ NORACE: final
        }
    }

    public static void main(String[] args) throws Exception {
        Fraction half = new Fraction(1, 2);
        Fraction third = new Fraction(1, 3);
        Thread a = new Thread(() -> half.times(half));
        Thread b = new Thread(() -> third.times(third));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(half.times(third).denominator);
    }
}
