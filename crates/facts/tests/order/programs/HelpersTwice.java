/** One of two threads that a method starts is joined by another method. */
public class HelpersTwice {
    static int racyOther;

    static Thread launch(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        Thread two = launch(() -> racyOther++);
        Thread three = launch(() -> racyOther++);
        await(two);
        racyOther++;
    }
}
