// A synchronized method calls another one on the same object: leaving the inner call does not give the lock up.
package locks;

public class ReentrantCalls {
    private int depth;
    private int calls;

    synchronized void outer() {
        inner();
        calls++; //~ NORACE: still inside the outer method's lock
    }

    synchronized void inner() {
        depth++; //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        ReentrantCalls object = new ReentrantCalls();
        Thread other = new Thread(object::outer);
        other.start();
        object.outer();
        other.join();
        System.out.println(object.depth + object.calls);
    }
}
