// Class initialisation: order, constants that trigger nothing, interfaces with defaults, failures, threads that wait for it.

public class Initialisers {
    static StringBuilder log = new StringBuilder();
    static int note(String text) { log.append(text).append(' '); return log.length(); }

    static class Base {
        static { note("Base"); }
        static int count = note("Base.count");
        static void touch() { }
        Base() { note("Base()"); hook(); }
        void hook() { }
    }

    static class Derived extends Base {
        static { note("Derived"); }
        static final int CONSTANT = 5;
        static final Integer BOXED = note("BOXED");
        int field = note("field");
        { note("block"); }
        Derived() { super(); note("Derived()"); }
        @Override void hook() { note("hook" + field); }
    }

    interface Quiet {
        int VALUE = note("Quiet");
    }

    interface Loud {
        int VALUE = note("Loud");
        default void speak() { note("speak"); }
    }

    static class Both implements Quiet, Loud {
        static { note("Both"); }
    }

    static class Broken {
        static { if (note("Broken") > 0) throw new IllegalStateException("broken"); }
        static void use() { }
    }

    static class Lazy {
        static class Holder {
            static final Lazy INSTANCE = new Lazy();
        }
        static Lazy get() { return Holder.INSTANCE; }
        Lazy() { note("Lazy"); }
    }

    static class Left {
        static int value = Right.value + 1;
    }

    static class Right {
        static int value = Left.value + 1;
    }

    static class Slow {
        static final int value;
        static {
            try {
                Thread.sleep(10);
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
            value = 9;
        }
    }

    public static void main(String[] args) throws Exception {
        note("constant" + Derived.CONSTANT);
        Base[] none = new Base[0];
        Derived.touch();
        new Derived();
        note("quiet" + none.length);
        new Both();
        note("value" + Both.class.getInterfaces().length + Quiet.VALUE / 1000);
        for (int i = 0; i < 2; i++) {
            try {
                Broken.use();
            } catch (ExceptionInInitializerError first) {
                note("first");
            } catch (NoClassDefFoundError second) {
                note("second");
            }
        }
        Lazy.get();
        Lazy.get();
        note("cycle" + Left.value + Right.value);
        Class.forName("Initialisers$ByName", true, Initialisers.class.getClassLoader());
        Thread[] threads = new Thread[3];
        int[] seen = new int[3];
        for (int i = 0; i < 3; i++) {
            int number = i;
            threads[i] = new Thread(() -> seen[number] = Slow.value);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(log + "" + (seen[0] + seen[1] + seen[2]));
    }

    static class ByName {
        static { note("ByName"); }
    }
}
