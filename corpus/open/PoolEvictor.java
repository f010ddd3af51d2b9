// selvedge: library=open.PoolEvictor
// A pool with a background evictor that the library starts itself; its cancelled flag is a plain field.
package open;

public class PoolEvictor {
    private static class Evictor extends Thread {
        private boolean cancelled;
        private int runs;

        @Override
        public void run() {
            while (!cancelled && runs < 100) { //~ RACE
                runs++; //~ NORACE: the evictor's own
            }
        }

        void cancel() {
            cancelled = true; //~ RACE
        }
    }

    private Evictor evictor;

    public synchronized void startEvictor() {
        if (evictor == null) { //~ NORACE: guarded by this
            evictor = new Evictor(); //~ NORACE: guarded by this
            evictor.start();
        }
    }

    public synchronized void close() {
        if (evictor != null) { //~ NORACE: guarded by this
            evictor.cancel();
            evictor = null; //~ NORACE: guarded by this
        }
    }
}
