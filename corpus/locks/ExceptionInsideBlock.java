// The handler stands inside the synchronized block: the lock is held there too.
package locks;

public class ExceptionInsideBlock {
    private int failures;
    private int successes;

    void attempt(String text) {
        synchronized (this) {
            try {
                successes += Integer.parseInt(text); //~ NORACE: guarded by this
            } catch (NumberFormatException e) {
                failures++; //~ NORACE: guarded by this
            }
        }
    }

    public static void main(String[] args) throws Exception {
        ExceptionInsideBlock parser = new ExceptionInsideBlock();
        Thread other = new Thread(() -> parser.attempt("x"));
        other.start();
        parser.attempt("1");
        other.join();
        System.out.println(parser.successes + parser.failures);
    }
}
