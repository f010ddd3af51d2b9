// A SwingWorker works in a thread of a pool and shows its progress in the event thread, while it goes
// on working.
package threads;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.swing.SwingWorker;

public class SwingWorkerSides {
    static final CountDownLatch ENDED = new CountDownLatch(1);

    static class Loading extends SwingWorker<Integer, String> {
        private int loaded;
        private int shown;

        @Override
        protected Integer doInBackground() {
            publish("first");
            loaded++; //~ RACE
            return 1;
        }

        @Override
        protected void process(List<String> lines) {
            shown += lines.size(); //~ NORACE: in the event thread, as done()
            shown += loaded; //~ RACE
        }

        @Override
        protected void done() {
            shown++; //~ NORACE: in the event thread, as process()
            ENDED.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        new Loading().execute();
        ENDED.await();
    }
}
