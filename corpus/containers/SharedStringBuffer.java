// StringBuffer synchronizes each method: the single appends do not race (though two lines may interleave).
package containers;

public class SharedStringBuffer {
    private final StringBuffer log = new StringBuffer();

    void note(String line) {
        log.append(line); //~ NORACE: StringBuffer locks itself
    }

    public static void main(String[] args) throws Exception {
        SharedStringBuffer shared = new SharedStringBuffer();
        Thread a = new Thread(() -> shared.note("from a\n"));
        Thread b = new Thread(() -> shared.note("from b\n"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(shared.log.length());
    }
}
