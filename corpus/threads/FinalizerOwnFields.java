// A finaliser that closes its own object comes when nobody else can reach the object.
package threads;

public class FinalizerOwnFields {
    private boolean open = true;

    void close() {
        open = false; //~ NORACE: the finaliser runs when nobody holds the object
    }

    boolean isOpen() {
        return open; //~ NORACE: the finaliser runs when nobody holds the object
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
        if (open) { //~ NORACE: the object is its own
            close();
        }
    }

    public static void main(String[] args) {
        int open = 0;
        for (int i = 0; i < 10; i++) {
            FinalizerOwnFields file = new FinalizerOwnFields();
            open += file.isOpen() ? 1 : 0;
            file.close();
        }
        System.out.println(open);
    }
}
