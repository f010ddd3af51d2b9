// A worker adds to a long total while the main thread shows the progress before joining: a read against a write.
package accesses;

public class ProgressBar {
    private long done;

    void work() {
        for (int i = 0; i < 1000; i++) {
            done += i; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        ProgressBar bar = new ProgressBar();
        Thread worker = new Thread(bar::work);
        worker.start();
        for (int i = 0; i < 3; i++) {
            System.out.println(bar.done >= 0 ? "working" : "?"); //~ RACE
        }
        worker.join();
        System.out.println(bar.done); //~ NORACE: after the join
    }
}
