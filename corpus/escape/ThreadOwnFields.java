// A Thread subclass with plain working state: only its own run method and what it calls use it until it is joined.
package escape;

public class ThreadOwnFields extends Thread {
    private final int seed;
    private int state;
    private final int[] history = new int[8];

    ThreadOwnFields(int seed) {
        this.seed = seed;
        this.state = seed; //~ NORACE: in the constructor
    }

    @Override
    public void run() {
        for (int i = 0; i < history.length; i++) {
            step(i);
        }
    }

    private void step(int i) {
        state = state * 31 + seed; //~ NORACE: called from run on this
        history[i] = state; //~ NORACE: called from run on this
    }

    public static void main(String[] args) throws Exception {
        ThreadOwnFields[] walkers = {new ThreadOwnFields(1), new ThreadOwnFields(2)};
        for (ThreadOwnFields walker : walkers) {
            walker.start();
        }
        for (ThreadOwnFields walker : walkers) {
            walker.join();
        }
        System.out.println(walkers[0].history[7] + walkers[1].state); //~ NORACE: after the joins
    }
}
