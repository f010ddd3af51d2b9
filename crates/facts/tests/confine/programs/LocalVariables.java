/** A library with a value per thread, and the same where the value also goes to a field. */
public class LocalVariables {
    static class Buffer {
        int used;
    }

    static class Leaked {
        int used;
    }

    private static final ThreadLocal<Buffer> BUFFER = ThreadLocal.withInitial(Buffer::new);
    private static final ThreadLocal<Leaked> LEAKED = new ThreadLocal<>();

    private Leaked last;

    public int append(int n) {
        Buffer buffer = BUFFER.get();
        buffer.used += n;
        return buffer.used;
    }

    public void remember(int n) {
        Leaked leaked = LEAKED.get();
        if (leaked == null) {
            leaked = new Leaked();
            LEAKED.set(leaked);
        }
        leaked.used += n; // pair
        last = leaked; // pair
    }

    public int last() {
        return last.used; // pair
    }
}
