import java.util.Arrays;

/** Variable arity, default parameters by overloading, evaluation order, parameters of every kind and many of them. */
public class Varargs {
    static int sum(int... xs) {
        int s = 0;
        for (int x : xs) s += x;
        return s;
    }

    static String objects(Object... os) {
        return os == null ? "null array" : os.length + Arrays.toString(os);
    }

    static String prefixed(String prefix, long... rest) {
        return prefix + Arrays.toString(rest);
    }

    static double many(int a, long b, float c, double d, byte e, short f, char g, boolean h, String i, int[] j, long k, double l) {
        return a + b + c + d + e + f + g + (h ? 1 : 0) + i.length() + j[0] + k + l;
    }

    static StringBuilder trace = new StringBuilder();

    static int note(int i) {
        trace.append(i).append(',');
        return i;
    }

    static long swap(long a, double b) {
        return (long) (b - a);
    }

    int[] data = {1, 2, 3};

    int[] data() {
        trace.append("data,");
        return data;
    }

    public static void main(String[] args) {
        System.out.println(sum() + " " + sum(1) + " " + sum(1, 2, 3) + " " + sum(new int[]{4, 5}));
        System.out.println(objects() + objects((Object[]) null) + objects((Object) null) + objects(1, "two", 3.0) + objects((Object) new String[]{"a"}.length) + objects((Object[]) new String[]{"a", "b"}));
        System.out.println(prefixed("p") + prefixed("q", 1, 2, 3));
        System.out.println(many(1, 2L, 3f, 4.0, (byte) 5, (short) 6, 'a', true, "eight", new int[]{9}, 10L, 11.5));
        System.out.println(note(1) + note(2) * note(3) - (note(4) << note(5)));
        int[] array = new int[6];
        int i = 0;
        array[i++] = array[i] + i++;
        array[i] = i = 4;
        array[note(5)] += note(7) * note(2);
        System.out.println(Arrays.toString(array) + i + " " + trace);
        Varargs v = new Varargs();
        v.data()[note(0)] = note(10) + v.data()[note(1)]++;
        System.out.println(Arrays.toString(v.data) + trace);
        System.out.println(swap(1L << 40, 1e15));
        int x = 10;
        x = x++ + x--;
        x += x++ * 2 + x;
        System.out.println(x);
        boolean shortCircuit = note(1) > 5 && note(2) > 0 || note(3) == 3;
        System.out.println(shortCircuit + " " + trace);
        long l = 1;
        int k = 3;
        k += l += k -= 1;
        System.out.println(k + " " + l);
        double nested = (args.length == 0 ? (k > 2 ? 1 : 2) : 3L) / 2.0;
        System.out.println(nested);
    }
}
