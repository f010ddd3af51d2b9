// The stop flag without volatile: the loop may never see it (and is bounded here so that the program ends).
package atomics;

public class PlainStop {
    private boolean stopped;

    int loop() {
        int rounds = 0;
        while (!stopped && rounds < 100_000) { //~ RACE
            rounds++;
        }
        return rounds;
    }

    public static void main(String[] args) throws Exception {
        PlainStop engine = new PlainStop();
        Thread runner = new Thread(engine::loop);
        runner.start();
        engine.stopped = true; //~ RACE
        runner.join();
    }
}
