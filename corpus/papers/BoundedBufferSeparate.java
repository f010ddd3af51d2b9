// The faulty bounded buffer, one for each thread, which puts and takes by itself: nothing is shared.
package papers;

public class BoundedBufferSeparate {
    static class Buffer {
        private final Object[] array = new Object[4];
        private int putPtr;
        private int takePtr;
        private int emptySlots = 4;
        private int usedSlots;
        private final Object putMonitor = new Object();
        private final Object takeMonitor = new Object();

        boolean put(Object x) {
            synchronized (putMonitor) {
                if (emptySlots <= 0) { //~ NORACE: a buffer for each thread
                    return false;
                }
                --emptySlots; //~ NORACE: a buffer for each thread
                ++usedSlots; //~ NORACE: a buffer for each thread
                array[putPtr] = x; //~ NORACE: a buffer for each thread
                putPtr = (putPtr + 1) % array.length; //~ NORACE: a buffer for each thread
                return true;
            }
        }

        Object take() {
            synchronized (takeMonitor) {
                if (usedSlots <= 0) { //~ NORACE: a buffer for each thread
                    return null;
                }
                --usedSlots; //~ NORACE: a buffer for each thread
                ++emptySlots; //~ NORACE: a buffer for each thread
                Object old = array[takePtr]; //~ NORACE: a buffer for each thread
                array[takePtr] = null; //~ NORACE: a buffer for each thread
                takePtr = (takePtr + 1) % array.length; //~ NORACE: a buffer for each thread
                return old;
            }
        }
    }

    static class User implements Runnable {
        private final Buffer buffer;

        User(Buffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public void run() {
            for (int i = 0; i < 8; i++) {
                buffer.put(i);
                buffer.take();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(new User(new Buffer()));
        Thread b = new Thread(new User(new Buffer()));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("done");
    }
}
