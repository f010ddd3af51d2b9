import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Paths;
import java.util.Arrays;

/** Methods that work on objects of one thread and on objects of two. */
public class Mixed {
    public interface Summed {
        void sum(int[] values);
    }

    public static class Grid implements Summed {
        final int[] cells = new int[16];
        int filled, deep, failed, summed, locked, late, missing;

        void fill(int by) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] += by;
                filled += by;
            }
        }

        int deep(int depth) {
            for (int i = 0; i < 4; i++) deep += i;
            return depth == 0 ? deep : deep(depth - 1) + 1;
        }

        void fail(int at) {
            for (int i = 0; ; i++) {
                failed++;
                if (i == at) throw new IllegalStateException("at " + at);
            }
        }

        public void sum(int[] values) {
            for (int value : values) summed += value;
        }

        synchronized void locked(int times) {
            for (int i = 0; i < times; i++) locked++;
        }

        public void late(int by) {
            for (int i = 0; i < by; i++) late += by;
        }

        void missing(int by) {
            for (int i = 0; i < by; i++) missing += by;
        }
    }

    /** Another one that an interface call may reach; it has no versions. */
    static class Silent implements Summed {
        public void sum(int[] values) {
        }
    }

    static final Grid shared = new Grid();
    public static Grid late;

    static class Worker extends Thread {
        final String place;
        int result;

        Worker(String place) {
            this.place = place;
        }

        @Override
        public void run() {
            int[] values = {1, 2, 3};
            Grid own = new Grid();
            own.fill(1);
            shared.fill(2);
            result = own.deep(5);
            result += shared.deep(1);
            own.locked(3);
            shared.locked(3);
            result += shared.locked;
            try {
                shared.fail(1);
            } catch (IllegalStateException expected) {
                result++;
            }
            Summed silent = values.length > 9 ? own : new Silent();
            silent.sum(values);
            Summed loud = shared;
            loud.sum(values);
            Grid none = values.length > 9 ? new Grid() : null;
            try {
                none.missing(1);
            } catch (NullPointerException expected) {
                result++;
            }
            shared.missing(1);
            // The check does not know the class that comes from elsewhere.
            Grid other = place == null ? new Grid() : loaded(place);
            other.late(1);
            shared.late(1);
            result += own.filled + own.locked;
        }
    }

    static synchronized Grid loaded(String place) {
        try {
            if (late == null) {
                URL url = Paths.get(place).toUri().toURL();
                Class<?> found = new URLClassLoader(new URL[] {url}).loadClass("Late");
                found.getDeclaredConstructor().newInstance();
            }
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
        return unknown(late);
    }

    /** What the check takes for another object. */
    static Grid unknown(Grid grid) {
        return grid == null ? new Grid() : grid;
    }

    static void trace(Grid grid) {
        try {
            grid.fail(3);
        } catch (IllegalStateException error) {
            System.out.println(error + " " + error.getStackTrace().length);
            for (StackTraceElement frame : error.getStackTrace()) System.out.println(frame);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Worker one = new Worker(arguments.length > 0 ? arguments[0] : null);
        Worker two = new Worker(one.place);
        one.start();
        two.start();
        Grid mine = new Grid();
        trace(mine);
        try {
            shared.fail(1);
        } catch (IllegalStateException error) {
            System.out.println(error.getStackTrace()[0]);
        }
        one.join();
        two.join();
        System.out.println(mine.failed + " " + (one.result > 0));
        Method[] methods = Grid.class.getDeclaredMethods();
        String[] names = Arrays.stream(methods).filter(it -> !it.isSynthetic()).map(Method::toString).sorted().toArray(String[]::new);
        for (String name : names) System.out.println(name);
    }
}
