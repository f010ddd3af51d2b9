// Listeners behind an interface: only one implementation keeps state, and two threads fire events at it.
package accesses;

public class InterfaceDispatch {
    interface Listener {
        void onEvent(String event);
    }

    static class Silent implements Listener {
        public void onEvent(String event) {
        }
    }

    static class Remembering implements Listener {
        String last = "";

        public void onEvent(String event) {
            last = event; //~ RACE
        }
    }

    static class Source {
        private final Listener[] listeners;

        Source(Listener... listeners) {
            this.listeners = listeners;
        }

        void fire(String event) {
            for (Listener listener : listeners) { //~ NORACE: the array is filled before the threads start
                listener.onEvent(event);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Source source = new Source(new Silent(), new Remembering());
        Thread a = new Thread(() -> source.fire("a"));
        Thread b = new Thread(() -> source.fire("b"));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
