// A.6.2 of the thesis, with threads that one static method makes and starts for whoever calls it: the counters are
// different.
package papers;

public class LaunchedByHelper implements Runnable {
    private int counter;

    private void inc() {
        counter++; //~ NORACE: an object for each thread
    }

    @Override
    public void run() {
        for (int i = 0; i < 100; i++) {
            inc();
        }
    }

    private static void launch(LaunchedByHelper task) {
        new Thread(task).start();
    }

    public static void main(String[] args) {
        launch(new LaunchedByHelper());
        launch(new LaunchedByHelper());
    }
}
