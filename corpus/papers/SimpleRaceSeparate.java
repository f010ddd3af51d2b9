// The same Runnable class with one object for each thread: the counters are different.
package papers;

public class SimpleRaceSeparate implements Runnable {
    private int counter;

    void inc() {
        counter++; //~ NORACE: an object for each thread
    }

    void dec() {
        counter--; //~ NORACE: an object for each thread
    }

    int get() {
        return counter; //~ NORACE: an object for each thread
    }

    @Override
    public void run() {
        for (int i = 0; i < 100; i++) {
            if (get() > 50) {
                dec();
            } else {
                inc();
            }
        }
    }

    public static void main(String[] args) {
        SimpleRaceSeparate one = new SimpleRaceSeparate();
        SimpleRaceSeparate two = new SimpleRaceSeparate();
        new Thread(one).start();
        new Thread(two).start();
    }
}
