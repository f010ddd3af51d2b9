// Confinement by guarded entries: listeners enter through the synchronized method, main through the unguarded one.
package papers;

public class ConfinementShared {
    static class MessageHandler {
        private static final MessageHandler INSTANCE = new MessageHandler();
        private int state;

        static MessageHandler get() {
            return INSTANCE;
        }

        synchronized void handle(Object message) {
            state++; //~ RACE
            process();
        }

        void process() {
            look();
            change();
        }

        private int look() {
            return state; //~ RACE
        }

        private void change() {
            int before = state; //~ RACE
            state++; //~ RACE
            if (state < before) { //~ RACE
                throw new ArithmeticException();
            }
        }
    }

    static class Listener implements Runnable {
        @Override
        public void run() {
            for (int i = 0; i < 5; i++) {
                MessageHandler.get().handle(new Object());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] listeners = new Thread[8];
        for (int i = 0; i < listeners.length; i++) {
            listeners[i] = new Thread(new Listener());
            listeners[i].start();
        }
        MessageHandler.get().process();
        for (Thread listener : listeners) {
            listener.join();
        }
    }
}
