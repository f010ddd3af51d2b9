// A per-thread request context in a ThreadLocal: plain fields, but each thread sets and reads its own.
package escape;

public class ThreadLocalContext {
    static class Context {
        String user;
        int depth;
    }

    private static final ThreadLocal<Context> CURRENT = new ThreadLocal<>();

    static void handle(String user) {
        Context context = new Context();
        context.user = user; //~ NORACE: this thread's context
        CURRENT.set(context);
        try {
            nested();
            nested();
        } finally {
            CURRENT.remove();
        }
    }

    static void nested() {
        CURRENT.get().depth++; //~ NORACE: this thread's context
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> handle("ann"));
        Thread b = new Thread(() -> handle("bob"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("handled");
    }
}
