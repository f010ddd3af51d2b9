import java.util.*;

/** Sorting algorithms by hand (bubble, insertion, quick, merge, heap, radix) against the library's. */
public class Sorting {
    static int[] input(int n, long seed) {
        int[] a = new int[n];
        for (int i = 0; i < n; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            a[i] = (int) (seed >>> 40) - (1 << 23);
        }
        return a;
    }

    static void bubble(int[] a) {
        boolean swapped;
        do {
            swapped = false;
            for (int i = 1; i < a.length; i++) if (a[i - 1] > a[i]) {
                int t = a[i];
                a[i] = a[i - 1];
                a[i - 1] = t;
                swapped = true;
            }
        } while (swapped);
    }

    static void insertion(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int v = a[i], j = i - 1;
            while (j >= 0 && a[j] > v) a[j + 1] = a[j--];
            a[j + 1] = v;
        }
    }

    static void quick(int[] a, int lo, int hi) {
        if (lo >= hi) return;
        int p = a[(lo + hi) >>> 1], i = lo, j = hi;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
        }
        quick(a, lo, j);
        quick(a, i, hi);
    }

    static int[] merge(int[] a) {
        if (a.length < 2) return a;
        int[] l = merge(Arrays.copyOfRange(a, 0, a.length / 2)), r = merge(Arrays.copyOfRange(a, a.length / 2, a.length));
        int[] out = new int[a.length];
        for (int i = 0, j = 0, k = 0; k < out.length; k++) out[k] = j == r.length || i < l.length && l[i] <= r[j] ? l[i++] : r[j++];
        return out;
    }

    static void heap(int[] a) {
        for (int i = a.length / 2 - 1; i >= 0; i--) sift(a, i, a.length);
        for (int n = a.length - 1; n > 0; n--) { int t = a[0]; a[0] = a[n]; a[n] = t; sift(a, 0, n); }
    }

    static void sift(int[] a, int i, int n) {
        for (int c; (c = 2 * i + 1) < n; i = c) {
            if (c + 1 < n && a[c + 1] > a[c]) c++;
            if (a[i] >= a[c]) return;
            int t = a[i]; a[i] = a[c]; a[c] = t;
        }
    }

    static int[] radix(int[] a) {
        for (int shift = 0; shift < 32; shift += 8) {
            int[] count = new int[257], out = new int[a.length];
            for (int v : a) count[((v ^ 0x80000000) >>> shift & 0xff) + 1]++;
            for (int i = 0; i < 256; i++) count[i + 1] += count[i];
            for (int v : a) out[count[(v ^ 0x80000000) >>> shift & 0xff]++] = v;
            a = out;
        }
        return a;
    }

    public static void main(String[] args) {
        int[] original = input(120, 7), expected = original.clone();
        Arrays.sort(expected);
        int[] a = original.clone(), b = original.clone(), c = original.clone(), e = original.clone();
        bubble(a);
        insertion(b);
        quick(c, 0, c.length - 1);
        int[] d = merge(original);
        heap(e);
        int[] f = radix(original);
        for (int[] r : new int[][]{a, b, c, d, e, f}) System.out.print(Arrays.equals(r, expected) + " ");
        System.out.println(expected[0] + " " + expected[119] + " " + Arrays.hashCode(expected));
        int[] large = input(1000, 3);
        Arrays.sort(large);
        double[] doubles = {3.5, -0.0, 0.0, Double.NaN, -7, Double.NEGATIVE_INFINITY, 2};
        Arrays.sort(doubles);
        String[] strings = "the quick brown fox jumps over the lazy dog".split(" ");
        Arrays.sort(strings);
        Arrays.sort(strings, 2, 6, Comparator.comparing(String::length));
        char[] chars = "sorting".toCharArray();
        Arrays.sort(chars);
        System.out.println(large[0] + " " + large[999] + " " + Arrays.toString(doubles) + Arrays.toString(strings) + new String(chars) + Arrays.binarySearch(large, large[500]));
    }
}
