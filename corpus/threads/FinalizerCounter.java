// A finalizer runs in the collector's finalizer thread at an unknown time: the plain static counter races with main.
package threads;

public class FinalizerCounter {
    private static int open;
    private final byte[] buffer = new byte[64];

    FinalizerCounter() {
        open++; //~ RACE
    }

    int size() {
        return buffer.length;
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() {
        open--; //~ RACE
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += new FinalizerCounter().size();
        }
        System.out.println(sum + (open < 0 ? 1 : 0)); //~ RACE
    }
}
