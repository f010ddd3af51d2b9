/** Loops of every form, labels, nested ternaries, irreducible-looking shapes, unusual but legal control flow. */
public class ControlFlow {
    static String labels() {
        StringBuilder sb = new StringBuilder();
        outer:
        for (int i = 0; ; i++) {
            middle:
            while (true) {
                for (int j = 0; j < 5; j++) {
                    if (j == i) continue outer;
                    if (j == 3) break middle;
                    if (i == 6) break outer;
                    sb.append(i * 10 + j).append(' ');
                }
            }
            sb.append("| ");
            if (i > 7) break;
        }
        block: {
            if (sb.length() > 10) break block;
            sb.append("unreached");
        }
        return sb.toString();
    }

    static int collatz(int n) {
        int steps = 0;
        do {
            n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
            steps++;
        } while (n != 1);
        return steps;
    }

    static String ternary(int n) {
        return n < 0 ? "neg" : n == 0 ? "zero" : n < 10 ? (n % 2 == 0 ? "small even" : "small odd") : "large";
    }

    static int phis(int n, boolean a, boolean b) {
        int x = a ? 1 : 2, y = b ? 3 : 4, z;
        while (n-- > 0) {
            z = x;
            x = y;
            y = z + (n % 2 == 0 ? x : -y);
            if (a ^ b) { int t = x; x = y; y = t; }
            if (n == 5) continue;
            a = !a;
        }
        return x * 1000 + y;
    }

    static long fib(int n) {
        long a = 0, b = 1;
        for (; n > 0; n--) { long t = a + b; a = b; b = t; }
        return a;
    }

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }

    static int state(String input) {
        int state = 0, i = 0;
        for (;;) {
            if (i == input.length()) return state;
            char c = input.charAt(i++);
            switch (state) {
                case 0: if (c == 'a') state = 1; break;
                case 1: if (c == 'b') state = 2; else if (c != 'a') state = 0; continue;
                case 2: state = c == 'c' ? 3 : 0;
                default: if (state == 3) return 33;
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(labels());
        System.out.println(collatz(27) + " " + collatz(97));
        for (int i : new int[]{-5, 0, 4, 7, 12}) System.out.print(ternary(i) + ", ");
        System.out.println();
        for (int n = 0; n < 9; n++) System.out.print(phis(n, n % 2 == 0, n % 3 == 0) + " ");
        System.out.println();
        System.out.println(fib(50) + " " + fib(93) + " " + ackermann(2, 6) + " " + even(50) + odd(20));
        System.out.println(state("xaab") + " " + state("aabc") + " " + state("abx"));
        for (int i = 0, j = 10; i < j; i += 3, j--) System.out.print(i + ":" + j + " ");
        System.out.println();
        int n = 0;
        while (true) if (++n > 20) break;
        boolean flag = false;
        for (; !flag; flag = n % 7 == 0) n++;
        System.out.println(n);
        int i = 0;
        i = i++ + (i = 5) + --i;
        assert i > 1000 : "assertions are off";
        System.out.println(i);
    }
}
