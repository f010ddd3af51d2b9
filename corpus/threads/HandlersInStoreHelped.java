// selvedge: library=threads.HandlersInStoreHelped
// As HandlersInStore, but the checker helps the handler with its work, and so counts in fields that are not its own.
package threads;

public class HandlersInStoreHelped {
    private volatile Handler handler;
    private volatile Checker checker;

    public void open() {
        handler = new Handler();
        launch(handler);
        checker = new Checker();
        launch(checker);
    }

    private static void launch(Thread thread) {
        thread.start();
    }

    private class Handler extends Thread {
        private int failures;

        private boolean work() {
            try {
                Thread.sleep(1);
                failures = 0; //~ RACE
                return true;
            } catch (InterruptedException e) {
                failures++; //~ RACE
                return false;
            }
        }

        @Override
        public void run() {
            while (work() || failures < 3) { //~ RACE
                Thread.yield();
            }
        }
    }

    private class Checker extends Thread {
        @Override
        public void run() {
            handler.work();
        }
    }
}
