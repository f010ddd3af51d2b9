// The twin of FinalReadByStartedThread: the final field is written before the thread starts.
package escape;

public class FinalBeforeLeak {
    private final int size;

    FinalBeforeLeak(int given) {
        size = given; //~ NORACE: before the thread starts
        new Thread(() -> System.out.println(get())).start();
    }

    int get() {
        return size; //~ NORACE: after the write
    }

    public static void main(String[] args) {
        new FinalBeforeLeak(3);
    }
}
