// The same handler with one instance for each thread: the unguarded entry meets nobody.
package papers;

public class ConfinementSeparate {
    static class MessageHandler {
        private int state;

        synchronized void handle(Object message) {
            state++; //~ NORACE: an object for each thread
            process();
        }

        void process() {
            look();
            change();
        }

        private int look() {
            return state; //~ NORACE: an object for each thread
        }

        private void change() {
            int before = state; //~ NORACE: an object for each thread
            state++; //~ NORACE: an object for each thread
            if (state < before) { //~ NORACE: an object for each thread
                throw new ArithmeticException();
            }
        }
    }

    static class Listener implements Runnable {
        private final MessageHandler handler = new MessageHandler();

        @Override
        public void run() {
            for (int i = 0; i < 5; i++) {
                handler.handle(new Object());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] listeners = new Thread[8];
        for (int i = 0; i < listeners.length; i++) {
            listeners[i] = new Thread(new Listener());
            listeners[i].start();
        }
        MessageHandler own = new MessageHandler();
        own.process();
        for (Thread listener : listeners) {
            listener.join();
        }
        System.out.println(own.look());
    }
}
