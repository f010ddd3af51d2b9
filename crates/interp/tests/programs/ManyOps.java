/** Stack-shuffling code that makes javac emit every dup, swap-like and wide form: compound updates of all kinds. */
public class ManyOps {
    long field = 3;
    static double sfield = 1.5;
    Long boxed = 4L;
    long[] array = {1, 2, 3};
    double[] doubles = {0.5};
    int[][] nested = {{1, 2}, {3}};
    String text = "t";

    ManyOps self() { return this; }

    static long last;

    static long keep(long v) { return last = v; }

    long chain(long v) {
        long a, b;
        a = b = field = array[1] = v;
        return a + b + field + array[1];
    }

    public static void main(String[] args) {
        ManyOps o = new ManyOps();
        System.out.println(o.chain(7) + " " + o.field);
        System.out.println(o.field++ + " " + ++o.field + " " + o.self().field-- + " " + --o.self().field);
        System.out.println(o.array[0]++ + " " + ++o.array[0] + " " + (o.array[2] *= 5) + " " + (o.self().array[1] <<= 3));
        System.out.println(sfield++ + " " + ++sfield + " " + (sfield /= 7) + " " + (o.doubles[0] -= 2) + " " + o.doubles[0]--);
        System.out.println(o.boxed++ + " " + ++o.boxed + " " + (o.boxed += 10) + " " + o.self().boxed--);
        System.out.println(o.nested[0][1]++ + o.nested[1][0]-- + " " + (o.nested[0][0] ^= 0xff) + " " + o.nested[0][1]);
        o.text += o.text += o.text + 1;
        System.out.println(o.text + " " + (o.self().text += 2) + " " + keep(keep(5) + 1) + last);
        int i = 0, j;
        i = (j = i + 3) * (i = j + 1) + (j += i);
        System.out.println(i + " " + j);
        long x = 1, y = 2, t;
        t = x; x = y; y = t;
        x ^= y ^= x ^= y;
        System.out.println(x + " " + y);
        char c = 'a';
        byte b = 100;
        short s = 1;
        c += b++;
        b += c--;
        s *= -b;
        s = (short) (s << 12 >> 3);
        System.out.println((int) c + " " + b + " " + s);
        float f = 2;
        f = f++ * --f + (f -= 0.5f);
        System.out.println(f);
        Object[] mix = {1, 2L};
        mix[0] = (Integer) mix[0] + (Long) mix[1];
        System.out.println(mix[0]);
        new ManyOps().self();
        Math.abs(5L);
        Math.abs(5);
        System.out.println(new long[]{1, 2}[1] + new int[][]{{5}}[0][0] + (args.length == 0 ? 1L : 2.0));
        boolean flag = false;
        flag |= o.array[0] > 2;
        flag &= !flag | true;
        flag ^= true;
        System.out.println(flag);
    }
}
