import java.util.Arrays;

/** Arrays of all eight primitive types: defaults, initialisers, stores that truncate, clone, arraycopy, bounds. */
public class PrimitiveArrays {
    static String attempt(Runnable r) {
        try {
            r.run();
            return "fine";
        } catch (RuntimeException e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }

    public static void main(String[] args) {
        boolean[] zs = new boolean[3];
        byte[] bs = {1, -2, (byte) 200};
        char[] cs = {'a', '\u00e9', '\uffff'};
        short[] ss = {1, -32768, (short) 40000};
        int[] is = new int[4];
        long[] ls = {1L, Long.MIN_VALUE};
        float[] fs = {1.5f, Float.NaN};
        double[] ds = new double[2];
        zs[1] = true;
        zs[2] |= zs[1];
        bs[0] += 127;
        cs[0]++;
        ss[0] -= 2;
        is[3] = is[2]-- + 7;
        ls[0] <<= 40;
        fs[0] *= 3;
        ds[1] = ls[0] / 3.0;
        System.out.println(Arrays.toString(zs) + Arrays.toString(bs) + cs[0] + (int) cs[1] + (int) cs[2]);
        System.out.println(Arrays.toString(ss) + Arrays.toString(is) + Arrays.toString(ls) + Arrays.toString(fs) + Arrays.toString(ds));
        int[] copy = is.clone();
        copy[0] = 99;
        System.out.println(is[0] + " " + copy[0] + " " + Arrays.equals(is, copy) + " " + Arrays.hashCode(copy));
        System.arraycopy(copy, 0, copy, 1, 3);
        System.out.println(Arrays.toString(copy));
        System.arraycopy(copy, 1, copy, 0, 3);
        System.out.println(Arrays.toString(copy));
        System.out.println(attempt(() -> is[4] = 1));
        System.out.println(attempt(() -> { int x = bs[-1]; }));
        System.out.println(attempt(() -> { int[] n = null; n[0]++; }).substring(0, 30));
        System.out.println(attempt(() -> { long[] n = new long[-3]; }));
        System.out.println(attempt(() -> System.arraycopy(is, 0, ls, 0, 1)).startsWith("java.lang.ArrayStoreException"));
        System.out.println(attempt(() -> System.arraycopy(is, 2, is, 3, 2)).startsWith("java.lang.ArrayIndexOutOfBounds"));
        byte[] raw = new byte[]{(byte) 0x80, 127};
        int sum = 0;
        for (byte b : raw) sum = sum * 31 + (b & 0xff);
        System.out.println(sum + " " + raw.length + " " + new int[0].length);
        long[] filled = new long[5];
        Arrays.fill(filled, 7L);
        System.out.println(Arrays.stream(filled).sum());
        System.out.println(zs.getClass().getName() + bs.getClass().getName() + cs.getClass() + ds.getClass().getSimpleName());
    }
}
