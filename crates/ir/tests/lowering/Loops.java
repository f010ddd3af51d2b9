class Loops {
    static long nested(int n, double step) {
        long sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (long j = i; ; j += 2) {
                if (j > 100) continue outer;
                if (sum < 0) break outer;
                sum += j * (long) step;
                step *= 1.5;
            }
        }
        return sum;
    }

    static int swap(int a, int b, int n) {
        do {
            int t = a;
            a = b;
            b = t;
        } while (--n > 0);
        return a - b;
    }

    static int gcd(int a, int b) {
        while (b != 0) {
            int t = a % b;
            a = b;
            b = t;
        }
        return a;
    }

    static Object find(Object[] all, Object key) {
        Object found = null;
        for (Object o : all) {
            if (o == key || o != null && o.equals(key)) found = o;
        }
        return found == null ? all : found;
    }
}
