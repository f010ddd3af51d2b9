// A handler of signals runs in a thread that the machine starts for the signal, beside whatever main does.
package threads;

import sun.misc.Signal;

public class SignalHandler {
    private static int done;
    private static boolean stopped;

    public static void main(String[] args) {
        Signal.handle(new Signal("INT"), signal -> {
            stopped = done > 0; //~ RACE
        });
        for (int i = 0; i < 3 && !stopped; i++) { //~ RACE
            done++; //~ RACE
        }
        System.out.println("done");
    }
}
