/** float and double arithmetic: rounding, infinities, signed zeros, NaN, remainders, all printed through toString. */
public class FloatingPoint {
    static strictfp double mean(double... values) {
        double sum = 0.0;
        for (double v : values) sum += v;
        return sum / values.length;
    }

    public static void main(String[] args) {
        double[] ds = {0.0, -0.0, 1.0, -1.5, 2.0, 1e-310, Double.MIN_VALUE, Double.MAX_VALUE, 1 / 3.0,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 123456789.125, 1e21};
        for (double a : ds) {
            StringBuilder line = new StringBuilder();
            for (double b : ds) {
                line.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                line.append(a / b).append(' ').append(a % b).append(';');
            }
            System.out.println(line);
            System.out.println(-a + " " + (float) a);
        }
        float[] fs = {0f, -0f, 1f, 2f, -2.5f, 1e-40f, Float.MIN_VALUE, Float.MAX_VALUE, 1 / 3f, Float.NaN,
            Float.POSITIVE_INFINITY, 16777217f};
        for (float a : fs) {
            StringBuilder line = new StringBuilder();
            for (float b : fs) {
                line.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                line.append(a / b).append(' ').append(a % b).append(';');
            }
            System.out.println(line);
            System.out.println(-a + " " + (double) a);
        }
        System.out.println(0.1 + 0.2);
        System.out.println(0.1f + 0.2f);
        System.out.println(mean(1, 2, 3.5, 1e10));
        float f = 1;
        f += 0.1;
        f++;
        f *= f;
        f %= 0.7f;
        System.out.println(f);
        double d = 10;
        d--;
        d /= 7;
        d -= 1e-3;
        System.out.println(d);
        System.out.println(Double.doubleToLongBits(-0.0) + " " + Float.floatToIntBits(Float.NaN));
        System.out.println(Double.compare(0.0, -0.0) + " " + (0.0 == -0.0) + " " + Double.valueOf(Double.NaN).equals(Double.NaN));
        System.out.println(Double.parseDouble("3.14159e-7") + " " + Float.parseFloat("1.17549435E-38f"));
        System.out.println(Double.toHexString(1.1) + " " + Math.ulp(1.0) + " " + Math.ulp(1e10f));
    }
}
