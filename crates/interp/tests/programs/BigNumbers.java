import java.math.*;

/** BigInteger and BigDecimal: arithmetic, powers, primes, rounding, conversion to text. */
public class BigNumbers {
    public static void main(String[] args) {
        BigInteger fact = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) fact = fact.multiply(BigInteger.valueOf(i));
        System.out.println(fact + " " + fact.bitLength() + " " + fact.getLowestSetBit());
        BigInteger a = new BigInteger("123456789012345678901234567890"), b = BigInteger.valueOf(-987654321987654321L);
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.mod(b.negate()) + " " + a.remainder(b));
        System.out.println(a.gcd(b) + " " + a.modPow(BigInteger.TEN, BigInteger.valueOf(1000007)) + " " + a.pow(5).toString(16));
        System.out.println(a.shiftLeft(70) + " " + b.shiftRight(7) + " " + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not());
        System.out.println(a.compareTo(b) + " " + a.signum() + b.signum() + " " + a.hashCode() + " " + b.longValue() + " " + a.intValue() + " " + a.doubleValue());
        System.out.println(BigInteger.valueOf(97).isProbablePrime(10) + " " + BigInteger.valueOf(91).isProbablePrime(10) + " " + BigInteger.valueOf(17).modInverse(BigInteger.valueOf(3120)) + " " + BigInteger.TWO.sqrt());
        try {
            a.divide(BigInteger.ZERO);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        BigDecimal x = new BigDecimal("1234.5678"), y = new BigDecimal("-0.00321");
        System.out.println(x.add(y) + " " + x.multiply(y) + " " + x.divide(y, 10, RoundingMode.HALF_UP) + " " + x.setScale(2, RoundingMode.HALF_EVEN) + " " + x.negate().setScale(0, RoundingMode.FLOOR));
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + x.scale() + " " + x.precision() + " " + x.unscaledValue());
        System.out.println(new BigDecimal("1E+10").toPlainString() + " " + new BigDecimal("100").stripTrailingZeros() + " " + x.compareTo(y) + " " + new BigDecimal("2.0").equals(new BigDecimal("2.00")));
        try {
            BigDecimal.ONE.divide(BigDecimal.valueOf(3));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(BigDecimal.ONE.divide(BigDecimal.valueOf(3), MathContext.DECIMAL64) + " " + x.pow(3) + " " + x.toBigInteger());
        BigInteger p = BigInteger.ZERO, q = BigInteger.ONE;
        for (int i = 0; i < 300; i++) { BigInteger t = p.add(q); p = q; q = t; }
        System.out.println(p);
    }
}
