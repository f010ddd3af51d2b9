// A constructor starts a thread that reads a final field, and writes the field only then.
package escape;

public class FinalReadByStartedThread {
    private final int size;

    FinalReadByStartedThread(int given) {
        new Thread(() -> System.out.println(get())).start();
        size = given; //~ RACE: the thread runs already
    }

    int get() {
        return size; //~ RACE: may come before the write
    }

    public static void main(String[] args) {
        new FinalReadByStartedThread(3);
    }
}
