/** Throwing, catching by type, rethrowing, causes, finally in all positions, nested handlers, implicit exceptions. */
public class Exceptions {
    static class AppException extends Exception {
        final int code;
        AppException(String message, int code) { super(message); this.code = code; }
        AppException(String message, Throwable cause) { super(message, cause); code = -1; }
    }

    static class SubException extends AppException {
        SubException() { super("sub", 7); }
    }

    static void raise(int kind) throws AppException {
        switch (kind) {
            case 0: throw new AppException("zero", 0);
            case 1: throw new SubException();
            case 2: throw new IllegalArgumentException("two");
            case 3: Object o = null; o.hashCode(); break;
            case 4: int[] a = new int[1]; a[kind] = 0; break;
            case 5: System.out.println(1 / (kind - 5)); break;
            case 6: Object s = "s"; Integer i = (Integer) s; break;
            case 7: throw new StackOverflowError();
            case 8: throw null;
            default: System.out.println("no exception");
        }
    }

    static String classify(int kind) {
        try {
            raise(kind);
            return "normal";
        } catch (SubException e) {
            return "sub " + e.code + e.getMessage();
        } catch (AppException e) {
            return "app " + e.code;
        } catch (IllegalArgumentException | ArithmeticException e) {
            return "multi " + e.getMessage();
        } catch (RuntimeException e) {
            return "runtime " + e.getClass().getSimpleName();
        } catch (Error e) {
            return "error " + e.getClass().getSimpleName();
        } finally {
            System.out.print("finally " + kind + "; ");
        }
    }

    static int depth(int n) {
        try {
            if (n == 0) throw new IllegalStateException("bottom");
            return depth(n - 1);
        } catch (IllegalStateException e) {
            if (n % 3 != 0) throw new IllegalStateException(e.getMessage() + n, e);
            throw e;
        }
    }

    static void sneaky(Throwable t) {
        Exceptions.<RuntimeException>sneak(t);
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneak(Throwable t) throws T {
        throw (T) t;
    }

    public static void main(String[] args) {
        for (int k = 0; k < 10; k++) System.out.println(classify(k));
        try {
            depth(7);
        } catch (IllegalStateException e) {
            int chain = 0;
            for (Throwable t = e; t != null; t = t.getCause()) chain++;
            System.out.println(e.getMessage() + " " + chain);
        }
        try {
            try {
                throw new RuntimeException("inner");
            } finally {
                System.out.println("cleanup");
            }
        } catch (RuntimeException e) {
            System.out.println("outer caught " + e.getMessage());
        }
        try {
            sneaky(new java.io.IOException("checked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        try {
            throw new AppException("wrapped", new Error("cause"));
        } catch (AppException e) {
            System.out.println(e + " <- " + e.getCause());
        }
        int x = 0;
        for (int i = 0; i < 5; i++) {
            try {
                x += 10 / (i - 2);
            } catch (ArithmeticException e) {
                x += 100;
            }
        }
        System.out.println(x);
        Throwable t = new Throwable("trace");
        System.out.println(t.getStackTrace().length > 0 ? "has trace" : "no trace");
        String state = "start";
        try {
            state = "in try";
            Object o = null;
            o.toString();
            state = "after";
        } catch (NullPointerException e) {
            state += " caught";
        }
        System.out.println(state);
    }
}
