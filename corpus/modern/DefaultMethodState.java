// A default method reads and writes through accessors: the race is in the accessors of the implementing class.
package modern;

public class DefaultMethodState {
    interface Counter {
        int get();

        void set(int value);

        default void increment() {
            set(get() + 1);
        }
    }

    static class Plain implements Counter {
        private int value;

        public int get() {
            return value; //~ RACE
        }

        public void set(int next) {
            value = next; //~ RACE
        }
    }

    public static void main(String[] args) throws Exception {
        Counter counter = new Plain();
        Thread a = new Thread(counter::increment);
        Thread b = new Thread(counter::increment);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
