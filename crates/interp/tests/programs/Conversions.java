/** All fifteen primitive conversions at their edges. */
public class Conversions {
    public static void main(String[] args) {
        int[] ints = {0, 1, -1, 127, 128, 255, 256, -129, 32767, 32768, 65535, 65536, 16777217, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int i : ints) {
            System.out.println((byte) i + " " + (short) i + " " + (int) (char) i + " " + (long) i + " " + (float) i + " " + (double) i);
        }
        long[] longs = {0, -1, 1L << 31, 1L << 33, Long.MAX_VALUE, Long.MIN_VALUE, 9007199254740993L, 0x123456789abcdefL};
        for (long l : longs) {
            System.out.println((int) l + " " + (byte) l + " " + (short) l + " " + (int) (char) l + " " + (float) l + " " + (double) l);
        }
        float[] floats = {0f, -0f, 1.5f, -1.5f, 1e10f, -1e10f, 1e20f, -1e20f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 300.7f};
        for (float f : floats) {
            System.out.println((int) f + " " + (long) f + " " + (double) f + " " + (byte) f + " " + (short) f + " " + (int) (char) f);
        }
        double[] doubles = {0.0, 0.999999, -0.999999, 1e10, -1e10, 1e19, -1e19, 1e300, Double.NaN, Double.POSITIVE_INFINITY, 1e-50, 65536.5, 3.4028235677973366e38};
        for (double d : doubles) {
            System.out.println((int) d + " " + (long) d + " " + (float) d + " " + (byte) d + " " + (short) d + " " + (int) (char) d);
        }
        char c = 'A';
        c += 1;
        c++;
        byte b = (byte) 200;
        b >>= 1;
        b >>>= 1;
        short s = -1;
        s >>>= 10;
        System.out.println(c + " " + b + " " + s + " " + (c + b) + " " + (char) (c + 1));
        long wide = c;
        float fromLong = wide;
        System.out.println(wide + " " + fromLong);
    }
}
