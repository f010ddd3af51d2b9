// A lift simulation: all calls go through synchronized methods of the controls, a lift's own position is its thread's.
package papers;

public class ElevatorShape {
    static class Controls {
        private final boolean[] called = new boolean[6];
        private int open;
        private boolean closed;

        synchronized void call(int floor) {
            if (!called[floor]) { //~ NORACE: guarded by the controls
                called[floor] = true; //~ NORACE: guarded by the controls
                open++; //~ NORACE: guarded by the controls
                notifyAll();
            }
        }

        synchronized int claim() throws InterruptedException {
            while (open == 0 && !closed) { //~ NORACE: guarded by the controls
                wait();
            }
            for (int floor = 0; floor < called.length; floor++) {
                if (called[floor]) { //~ NORACE: guarded by the controls
                    called[floor] = false; //~ NORACE: guarded by the controls
                    open--; //~ NORACE: guarded by the controls
                    return floor;
                }
            }
            return -1;
        }

        synchronized void close() {
            closed = true; //~ NORACE: guarded by the controls
            notifyAll();
        }
    }

    static class Lift extends Thread {
        private final Controls controls;
        private int position;
        private int travelled;

        Lift(Controls controls) {
            this.controls = controls;
        }

        @Override
        public void run() {
            try {
                for (int floor = controls.claim(); floor >= 0; floor = controls.claim()) {
                    travelled += Math.abs(floor - position); //~ NORACE: the lift's own
                    position = floor; //~ NORACE: the lift's own
                }
            } catch (InterruptedException e) {
                interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Controls controls = new Controls();
        Lift[] lifts = {new Lift(controls), new Lift(controls)};
        for (Lift lift : lifts) {
            lift.start();
        }
        for (int floor = 1; floor < 6; floor++) {
            controls.call(floor);
        }
        controls.close();
        for (Lift lift : lifts) {
            lift.join();
        }
        System.out.println(lifts[0].travelled + lifts[1].travelled > 0); //~ NORACE: after the joins
    }
}
