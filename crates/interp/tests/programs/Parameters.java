/** Assigned parameters of every kind in the first slots, static and instance, and array elements as values of assignments. */
public class Parameters {
    static String floats(float a, float b, float c, float d) {
        a += 1;
        b = a * c;
        c -= d;
        d = -b;
        return a + " " + b + " " + c + " " + d;
    }

    static String doubles(double a, double b) {
        a /= 2;
        b -= a;
        return a + " " + b;
    }

    static String shifted(int i, double a, int j) {
        i++;
        a *= i;
        j = (int) a;
        return i + " " + a + " " + j;
    }

    static String longs(long a, long b) {
        a = b;
        b = a * a;
        return a + " " + b;
    }

    static String pushed(byte z, long a, Object o) {
        z++;
        a += z;
        o = o + "!";
        return z + " " + a + " " + o;
    }

    static Object swap(Object a, Object b) {
        Object t = a;
        a = b;
        b = t;
        return a.toString() + b;
    }

    String instance(float f, double d, long l, Object o) {
        f++;
        d++;
        l++;
        o = this == o;
        return f + " " + d + " " + l + " " + o;
    }

    static long elements(long[] a, long[] b) {
        return a[0] = b[1] = a[1]++ + b[0];
    }

    static double nested(double[][] m) {
        double old = m[0][1]++;
        return m[1][0] = m[0][0] *= old + m[0][1];
    }

    static int recursive(int n, int sum) {
        while (n > 0) {
            sum += n % 2 == 0 ? recursive(n / 2, 1) : n;
            n -= 3;
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(floats(1, 2, 3, 4) + " | " + doubles(5, 6) + " | " + shifted(1, 2.5, 3));
        System.out.println(longs(7, 8) + " | " + pushed((byte) 127, 1L << 40, "o") + " | " + swap("x", 'y'));
        System.out.println(new Parameters().instance(1.5f, 2.5, 3, null));
        long[] a = {1, 2}, b = {10, 20};
        System.out.println(elements(a, b) + " " + a[0] + a[1] + b[0] + b[1]);
        double[][] m = {{2, 3}, {4, 5}};
        System.out.println(nested(m) + " " + m[0][0] + " " + m[0][1] + " " + m[1][0]);
        System.out.println(recursive(40, 0));
    }
}
