// Programs in which things go wrong, by the first argument. Each prints the same in every run.
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class Faults {
    static int shared;
    int depth;
    Object[] chain;

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "memory": memory(); break;
            case "stack": stack(); break;
            case "death": death(); break;
            case "threads": threads(); break;
            case "loaders": loaders(); break;
            case "copies": copies(); break;
            case "kill": kill(); break;
            case "redefine": redefine(arguments[1]); break;
            default: halt();
        }
        System.out.println("done");
    }

    /** Two threads write without order; then the machine is killed. */
    static void kill() throws Exception {
        Thread[] writers = new Thread[2];
        for (int i = 0; i < writers.length; i++) {
            int value = i;
            writers[i] = new Thread(() -> shared = value);
        }
        for (Thread writer : writers) writer.start();
        for (Thread writer : writers) writer.join();
        System.out.println("killed");
        System.out.flush();
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
        Thread.sleep(60_000);
    }

    /** Where {@link Redefiner} leaves what redefines classes. */
    static java.lang.instrument.Instrumentation tools;

    static class Part {
        int count;

        int next() {
            return ++count;
        }
    }

    /** A class gets other code while an object of it is in use by two threads, one after the other. */
    static void redefine(String file) throws Exception {
        Part part = new Part();
        System.out.println(part.next());
        byte[] bytes = Files.readAllBytes(Path.of(file));
        tools.redefineClasses(new java.lang.instrument.ClassDefinition(Part.class, bytes));
        Thread other = new Thread(() -> System.out.println(part.next()));
        other.start();
        other.join();
        System.out.println(part.next() + new Part().next());
    }

    /** Started before the program by {@code -javaagent}. */
    public static class Redefiner {
        public static void premain(String arguments, java.lang.instrument.Instrumentation instrumentation) {
            tools = instrumentation;
        }
    }

    static void memory() throws Exception {
        Thread eater = new Thread(() -> {
            Object[] chain = null;
            try {
                while (true) {
                    Object[] next = new Object[100_000];
                    next[0] = chain;
                    chain = next;
                }
            } catch (OutOfMemoryError error) {
                chain = null;
                System.out.println("no memory");
            }
        });
        eater.start();
        eater.join();
        Faults after = new Faults();
        after.depth = 7;
        System.out.println(after.depth);
    }

    int deeper() {
        depth++;
        return deeper() + depth;
    }

    static void stack() throws Exception {
        Faults faults = new Faults();
        for (int i = 0; i < 20; i++) {
            try {
                faults.deeper();
            } catch (StackOverflowError error) {
                faults.chain = new Object[] {error};
            }
        }
        System.out.println(faults.depth > 100 && faults.chain.length == 1);
    }

    static void death() throws Exception {
        Object lock = new Object();
        for (int i = 0; i < 50; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                synchronized (lock) {
                    shared++;
                    if (number % 2 == 0) throw new IllegalStateException("dead");
                }
            });
            thread.setUncaughtExceptionHandler((dead, exception) -> { });
            thread.start();
            thread.join();
        }
        synchronized (lock) {
            System.out.println(shared);
        }
    }

    static void threads() throws Exception {
        Object lock = new Object();
        for (int round = 0; round < 100; round++) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Thread thread = new Thread(() -> {
                    synchronized (lock) {
                        shared++;
                    }
                });
                all.add(thread);
                thread.start();
            }
            for (Thread thread : all) thread.join();
        }
        System.out.println(shared);
    }

    /** Counts in a field; loaded many times. */
    public static class Counter implements Runnable {
        int count;

        public void run() {
            count++;
            shared++;
        }
    }

    static class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Faults.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Faults$Counter")) return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            return known == null ? defineClass(name, bytes, 0, bytes.length) : known;
        }
    }

    static void loaders() throws Exception {
        Path file = Path.of(System.getProperty("java.class.path"), "Faults$Counter.class");
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < 1_000; i++) {
            Class<?> own = new Loader(bytes).loadClass("Faults$Counter");
            Runnable counter = (Runnable) own.getDeclaredConstructor().newInstance();
            counter.run();
            counter.run();
        }
        System.out.println(shared);
    }

    static class Point implements Serializable, Cloneable {
        private int x = 1;
        protected String name = "p";
        public static final int ZERO = 0;

        static {
            shared = 0;
        }

        public int sum(int[] more, String... names) {
            return x + more.length + names.length;
        }

        private void hidden() {
            x++;
        }

        @Override
        public Point clone() throws CloneNotSupportedException {
            return (Point) super.clone();
        }
    }

    static class Named extends Point implements Comparable<Named> {
        long when = 5;

        public int compareTo(Named other) {
            return Long.compare(when, other.when);
        }
    }

    static class Base {
        int inherited = 4;
    }

    interface Marker { }

    /** Is rewritten when its superclass is known and its interface is not. */
    static class Derived extends Base implements Marker {
        int twice() {
            inherited += inherited;
            return inherited;
        }
    }

    static void copies() throws Exception {
        System.out.println(new Base().inherited + new Derived().twice());
        System.out.println(ObjectStreamClass.lookup(Point.class).getSerialVersionUID());
        System.out.println(ObjectStreamClass.lookup(Named.class).getSerialVersionUID());
        Named original = new Named();
        original.when = 6;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        System.out.println(bytes.size());
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Named copy = (Named) in.readObject();
            System.out.println(copy.name + copy.when + copy.sum(new int[2], "a"));
        }
        // A thread clones what another has written, and writes the clone: that orders nothing and races with nothing.
        Named[] clones = new Named[1];
        Thread cloner = new Thread(() -> {
            try {
                clones[0] = (Named) original.clone();
                clones[0].name = "q";
            } catch (CloneNotSupportedException exception) {
                throw new IllegalStateException(exception);
            }
        });
        cloner.start();
        cloner.join();
        System.out.println(clones[0].name + original.name);
    }

    static void halt() {
        shared = 3;
        System.out.println("halting");
        System.out.flush();
        System.exit(3);
    }
}
