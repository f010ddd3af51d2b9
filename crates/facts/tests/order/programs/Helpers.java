/** Start and join in methods of their own. */
public class Helpers {
    static int safeBoth;

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
        safeBoth = 1;
        Thread one = launch(() -> safeBoth++);
        await(one);
        safeBoth++;
    }
}
