// selvedge: library=threads.HandlersInStore
// Background threads that a store makes, keeps and starts through a helper; each counts its failures in its own fields.
package threads;

public class HandlersInStore {
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

    public void close() {
        handler.finish();
    }

    private class Handler extends Thread {
        private volatile boolean finished;
        private int failures;

        void finish() {
            finished = true; //~ NORACE: volatile
        }

        private boolean work() {
            try {
                Thread.sleep(1);
                failures = 0; //~ NORACE: only the thread itself calls it
                return true;
            } catch (InterruptedException e) {
                failures++; //~ NORACE: only the thread itself calls it
                return false;
            }
        }

        @Override
        public void run() {
            while (!finished && (work() || failures < 3)) { //~ NORACE: its own
                Thread.yield();
            }
        }
    }

    private class Checker extends Thread {
        @Override
        public void run() {
            if (handler.isInterrupted()) {
                handler.finish();
            }
        }
    }
}
