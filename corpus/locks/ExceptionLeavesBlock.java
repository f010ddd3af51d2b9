// An exception leaves the synchronized block: the handler runs without the lock and touches the same field.
package locks;

public class ExceptionLeavesBlock {
    private int failures;
    private int successes;

    void attempt(String text) {
        try {
            synchronized (this) {
                successes += Integer.parseInt(text); //~ NORACE: guarded by this
            }
        } catch (NumberFormatException e) {
            failures++; //~ RACE: the block has been left
        }
    }

    public static void main(String[] args) throws Exception {
        ExceptionLeavesBlock parser = new ExceptionLeavesBlock();
        Thread other = new Thread(() -> parser.attempt("x"));
        other.start();
        parser.attempt("y");
        other.join();
    }
}
