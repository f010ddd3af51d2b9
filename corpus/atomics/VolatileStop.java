// The usual stop flag, volatile as it should be.
package atomics;

public class VolatileStop {
    private volatile boolean stopped;
    private int rounds;

    void loop() {
        while (!stopped) { //~ NORACE: volatile
            rounds++; //~ NORACE: the looping thread's own until it is joined
        }
    }

    public static void main(String[] args) throws Exception {
        VolatileStop engine = new VolatileStop();
        Thread runner = new Thread(engine::loop);
        runner.start();
        Thread.sleep(2);
        engine.stopped = true; //~ NORACE: volatile
        runner.join();
        System.out.println(engine.rounds >= 0); //~ NORACE: after the join
    }
}
