// A static debug switch that an operator's thread may flip while workers read it.
package benign;

public class DebugFlag {
    static boolean debug;

    static void trace(String text) {
        if (debug) { //~ RACE: benign, a switch
            System.err.print("");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                trace("step " + i);
            }
        });
        worker.start();
        debug = true; //~ RACE: benign, a switch
        worker.join();
        System.out.println("done");
    }
}
