// Exceptions: nested handlers, rethrowing, finally, resources, fields of exceptions, exceptions of the machine.
public class Throwing {
    static class Problem extends Exception {
        final Object payload;
        Problem(Object payload) { this.payload = payload; }
    }

    static class Worse extends Problem {
        Worse() { super(new Integer(0)); }
    }

    static class Resource implements AutoCloseable {
        public void close() throws Worse { throw new Worse(); }
    }

    static Object sink;

    static void fail(int n) throws Problem {
        if (n == 0) throw new Problem(new Object());
        if (n == 1) throw new Worse();
        if (n == 2) throw new IllegalStateException("two");
        Object nothing = null;
        nothing.hashCode();
    }

    static void middle(int n) throws Problem {
        try {
            try {
                fail(n);
            } catch (Worse worse) {
                sink = worse.payload;
                throw worse;
            } finally {
                sink = new Throwing();
            }
        } catch (RuntimeException e) {
            throw new RuntimeException("wrapped", e);
        }
    }

    public static void main(String[] arguments) {
        try {
            middle(arguments.length);
        } catch (Worse worse) {
            sink = worse;
        } catch (Problem problem) {
            sink = problem.payload;
        } catch (RuntimeException e) {
            sink = e.getCause();
        }
        try (Resource resource = new Resource()) {
            fail(1);
        } catch (Problem | IllegalStateException either) {
            sink = either;
        }
        try {
            Object number = new Integer(5);
            sink = (String) number;
        } catch (ClassCastException | NullPointerException e) {
            sink = e;
        } finally {
            sink = arguments;
        }
    }
}
