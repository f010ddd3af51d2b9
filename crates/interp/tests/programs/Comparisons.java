/** Every conditional branch: ints against ints and zero, longs, floats and doubles with NaN, references and null. */
public class Comparisons {
    static String ints(int a, int b) {
        return "" + (a == b ? 1 : 0) + (a != b ? 1 : 0) + (a < b ? 1 : 0) + (a >= b ? 1 : 0) + (a > b ? 1 : 0) + (a <= b ? 1 : 0)
            + (a == 0 ? 1 : 0) + (a != 0 ? 1 : 0) + (a < 0 ? 1 : 0) + (a >= 0 ? 1 : 0) + (a > 0 ? 1 : 0) + (a <= 0 ? 1 : 0);
    }

    static String longs(long a, long b) {
        return "" + (a == b) + (a != b) + (a < b) + (a >= b) + (a > b) + (a <= b);
    }

    static String floats(float a, float b) {
        return "" + (a == b) + (a != b) + (a < b) + (a >= b) + (a > b) + (a <= b) + !(a < b) + !(a > b);
    }

    static String doubles(double a, double b) {
        StringBuilder out = new StringBuilder();
        if (a < b) out.append("lt ");
        if (a > b) out.append("gt ");
        if (a <= b) out.append("le ");
        if (a >= b) out.append("ge ");
        if (a == b) out.append("eq ");
        if (a != b) out.append("ne ");
        if (!(a < b)) out.append("nlt ");
        if (!(a >= b)) out.append("nge ");
        return out.toString();
    }

    static String references(Object a, Object b) {
        return "" + (a == b) + (a != b) + (a == null) + (a != null) + (a instanceof String);
    }

    public static void main(String[] args) {
        int[] is = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int a : is) for (int b : is) System.out.print(ints(a, b) + " ");
        System.out.println();
        long[] ls = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE};
        for (long a : ls) for (long b : ls) System.out.print(longs(a, b) + " ");
        System.out.println();
        float[] fs = {0f, -0f, 1f, Float.NaN, Float.POSITIVE_INFINITY};
        for (float a : fs) for (float b : fs) System.out.print(floats(a, b) + " ");
        System.out.println();
        double[] ds = {0, -0.0, 1, Double.NaN, Double.NEGATIVE_INFINITY};
        for (double a : ds) for (double b : ds) System.out.print(doubles(a, b) + "| ");
        System.out.println();
        String s = "x";
        System.out.println(references(s, s) + references(null, s) + references(null, null) + references(new Object(), s));
        boolean p = is.length > 3, q = ls.length < 3;
        System.out.println((p && q) + " " + (p || q) + " " + (p & q) + " " + (p | q) + " " + (p ^ q) + " " + !p + " " + (p == q));
        int max = is[0];
        for (int v : is) max = v > max ? v : max;
        System.out.println(max);
    }
}
