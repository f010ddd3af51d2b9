class Arithmetic {
    static int ints(int a, int b) {
        return ((a + b) * (a - b) / b % 7 << 3 >> 1 >>> b) & a | b ^ ~a;
    }

    static long longs(long a, int shift, long b) {
        a += b++;
        return -(a * b / 3 - a % b) << shift >> 2 >>> shift & a | b ^ 1L;
    }

    static float floats(float a, float b) {
        return -a * b / 2f - a % b + Float.NaN;
    }

    static double doubles(double a, double b) {
        return a * b + Double.POSITIVE_INFINITY - -0.0 / b % 1e-300;
    }

    static int compare(long a, long b, float c, float d, double e, double f) {
        int n = 0;
        if (a < b) n++;
        if (c < d) n += 2;
        if (c >= d) n -= 300;
        if (e > f || e != e) n += 100_000;
        return n;
    }

    static double convert(int i, long l, float f, double d) {
        byte b = (byte) i;
        char c = (char) l;
        short s = (short) d;
        long fromInt = i, fromFloat = (long) f, fromDouble = (long) d;
        float narrow = (float) d + i + l;
        int all = (int) l + (int) f + (int) d + b + c + s;
        return all + fromInt + fromFloat + fromDouble + narrow;
    }

    static boolean logic(boolean a, boolean b, int n) {
        return !a && (b || n > 3) ^ (n == 0 ? a : b);
    }
}
