/** java.lang.Math and StrictMath: rounding, roots, powers, trigonometry, exact arithmetic, min and max of zeros. */
public class MathFunctions {
    static String exact(java.util.function.IntSupplier s) {
        try {
            return "" + s.getAsInt();
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        double[] values = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e17, -1e-5, 123.456, Double.NaN, Double.POSITIVE_INFINITY, 4503599627370497.5};
        for (double v : values) {
            System.out.println(Math.floor(v) + " " + Math.ceil(v) + " " + Math.rint(v) + " " + Math.round(v) + " " + Math.round((float) v) + " " + Math.abs(v) + " " + Math.signum(v) + " " + Math.sqrt(v) + " " + Math.getExponent(v));
        }
        for (double v : new double[]{0.1, 1, 2, -1.2, 10, 1e5}) {
            System.out.println(StrictMath.exp(v) + " " + StrictMath.cbrt(v) + " " + StrictMath.pow(v, 3) + " " + StrictMath.hypot(v, 3));
            // These differ in the last place between implementations.
            double[] inexact = {Math.sin(v), Math.cos(v), Math.tan(v), Math.atan(v), Math.log(v), Math.log10(v), Math.sinh(v / 1e4), Math.tanh(v),
                Math.atan2(v, 2), Math.asin(v / 1e6), Math.acos(v / 1e6), Math.expm1(-v * v), Math.log1p(Math.abs(v))};
            StringBuilder line = new StringBuilder();
            for (double d : inexact) line.append(Math.round(d * 1e9)).append(' ');
            System.out.println(line);
        }
        System.out.println(Math.pow(2, 10) + " " + Math.pow(2, 0.5) + " " + Math.pow(-8, 1 / 3.0) + " " + Math.pow(0, -1) + " " + Math.sqrt(2));
        System.out.println(Math.min(0.0, -0.0) + " " + Math.max(-0f, 0f) + " " + Math.min(Double.NaN, 1) + " " + Math.max(3, 7) + " " + Math.min(3L, -7L));
        System.out.println(exact(() -> Math.addExact(Integer.MAX_VALUE, 1)) + " " + exact(() -> Math.multiplyExact(1 << 20, 1 << 20)) + " " + exact(() -> Math.toIntExact(1L << 40)) + " " + exact(() -> Math.negateExact(5)) + " " + exact(() -> Math.subtractExact(5, 9)));
        System.out.println(Math.floorMod(-17, 5) + " " + Math.floorMod(17, -5) + " " + Math.floorDiv(-17, 5) + " " + Math.multiplyHigh(1L << 62, 8L) + " " + Math.fma(2.0, 3.0, 1.0));
        System.out.println(Math.toRadians(180) + " " + Math.toDegrees(Math.PI / 6) + " " + Math.nextUp(1.0) + " " + Math.nextAfter(1f, 0) + " " + Math.scalb(1.5, 4) + " " + Math.copySign(3.0, -0.0) + " " + Math.IEEEremainder(10, 3));
        double sum = 0;
        for (int i = 1; i <= 200; i++) sum += Math.sqrt(i) / i;
        System.out.println(sum);
        double x = 1;
        for (int i = 0; i < 20; i++) x = x - (x * x - 2) / (2 * x);
        System.out.println(x == Math.sqrt(2) || Math.abs(x - Math.sqrt(2)) < 1e-15);
    }
}
