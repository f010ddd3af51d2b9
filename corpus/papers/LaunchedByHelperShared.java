// Threads that one static method makes and starts for whoever calls it, with one object for all.
package papers;

public class LaunchedByHelperShared implements Runnable {
    private int counter;

    private void inc() {
        counter++; //~ RACE
    }

    @Override
    public void run() {
        for (int i = 0; i < 100; i++) {
            inc();
        }
    }

    private static void launch(LaunchedByHelperShared task) {
        new Thread(task).start();
    }

    public static void main(String[] args) {
        LaunchedByHelperShared shared = new LaunchedByHelperShared();
        launch(shared);
        launch(shared);
    }
}
