/** Class initialisation with several threads: once, before use, waiting threads see the result or the failure. */
public class InitRace {
    static volatile int inits;

    static class Slow {
        static final int[] VALUES = new int[20];
        static {
            inits++;
            for (int i = 0; i < VALUES.length; i++) {
                VALUES[i] = i * i;
                Thread.yield();
            }
        }
        static int sum() {
            int s = 0;
            for (int v : VALUES) s += v;
            return s;
        }
    }

    static class Broken {
        static int value = fail();
        static int fail() {
            Thread.yield();
            throw new RuntimeException("broken");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int[] sums = new int[4];
        String[] errors = new String[4];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                sums[me] = Slow.sum();
                try {
                    sums[me] += Broken.value;
                } catch (ExceptionInInitializerError e) {
                    errors[me] = "initializer";
                } catch (NoClassDefFoundError e) {
                    errors[me] = "missing";
                }
            });
        }
        for (Thread t : threads) t.start();
        int firsts = 0;
        for (int t = 0; t < 4; t++) {
            threads[t].join();
            if (errors[t].equals("initializer")) firsts++;
            System.out.println(sums[t]);
        }
        System.out.println(inits + " " + firsts);
    }
}
