/** finally with return, break, continue, overriding results and exceptions, nesting and loops. */
public class Finally {
    static int log;

    @SuppressWarnings("finally")
    static int returnsInFinally() {
        try {
            throw new RuntimeException("lost");
        } finally {
            return 2;
        }
    }

    static int valueBeforeFinally() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 50;
            log += x;
        }
    }

    static String nested(int k) {
        StringBuilder sb = new StringBuilder();
        try {
            sb.append("a");
            try {
                if (k == 1) throw new IllegalStateException();
                if (k == 2) return sb.append("ret").toString();
                sb.append("b");
            } finally {
                sb.append("c");
                if (k == 3) throw new IllegalArgumentException("from finally");
            }
            sb.append("d");
        } catch (IllegalStateException e) {
            sb.append("e");
        } catch (IllegalArgumentException e) {
            sb.append(e.getMessage());
        } finally {
            sb.append("f");
            log++;
        }
        return sb.toString();
    }

    @SuppressWarnings("finally")
    static String loops() {
        StringBuilder sb = new StringBuilder();
        outer:
        for (int i = 0; i < 4; i++) {
            for (int j = 0; ; j++) {
                try {
                    if (j == 2) continue outer;
                    if (i == 3) break outer;
                    sb.append(i).append(j).append(' ');
                } finally {
                    sb.append('.');
                    if (i == 1) break;
                }
            }
        }
        while (true) {
            try {
                throw new Error();
            } catch (Error e) {
                sb.append("caught");
            } finally {
                break;
            }
        }
        return sb.toString();
    }

    static int tryInLoop() {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 2 == 0) continue;
                if (i == 7) break;
                sum += i;
            } finally {
                sum += 100;
            }
        }
        return sum;
    }

    static long wide(boolean fail) {
        long l = 5;
        double d = 1.5;
        try {
            l = 6;
            if (fail) throw new RuntimeException();
            d = 2.5;
            return l;
        } catch (RuntimeException e) {
            l += 1000;
            d += 10;
        } finally {
            System.out.println("wide " + l + " " + d);
        }
        return l * 2;
    }

    static void rethrow() {
        try {
            try {
                throw new RuntimeException("first");
            } finally {
                Object o = null;
                o.hashCode();
            }
        } catch (NullPointerException e) {
            System.out.println("the second exception wins");
        }
    }

    public static void main(String[] args) {
        System.out.println(returnsInFinally() + " " + valueBeforeFinally() + " " + log);
        for (int k = 0; k < 4; k++) System.out.println(nested(k));
        System.out.println(loops());
        System.out.println(tryInLoop() + " " + log);
        System.out.println(wide(true) + " " + wide(false));
        rethrow();
    }
}
