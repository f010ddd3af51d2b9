// Two threads run the same Runnable, which moves its counter up and down.
package papers;

public class SimpleRaceShared implements Runnable {
    private int counter;

    void inc() {
        counter++; //~ RACE
    }

    void dec() {
        counter--; //~ RACE
    }

    int get() {
        return counter; //~ RACE
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
        SimpleRaceShared shared = new SimpleRaceShared();
        new Thread(shared).start();
        new Thread(shared).start();
    }
}
