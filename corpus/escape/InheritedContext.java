// An InheritableThreadLocal hands the parent's object to the child: both now change the same context.
package escape;

public class InheritedContext {
    static class Context {
        int calls;
    }

    private static final InheritableThreadLocal<Context> CURRENT = new InheritableThreadLocal<>();

    static void call() {
        CURRENT.get().calls++; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        CURRENT.set(new Context());
        Thread child = new Thread(InheritedContext::call);
        child.start();
        call();
        child.join();
    }
}
