// A log assembled in one StringBuilder by two threads: append is not synchronized.
package containers;

public class SharedStringBuilder {
    private final StringBuilder log = new StringBuilder(4096);

    void note(String line) {
        log.append(line).append('\n'); //~ RACE
    }

    public static void main(String[] args) throws Exception {
        SharedStringBuilder shared = new SharedStringBuilder();
        Thread a = new Thread(() -> shared.note("from a"));
        Thread b = new Thread(() -> shared.note("from b"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(shared.log.length() <= 14); //~ NORACE: after both joins
    }
}
