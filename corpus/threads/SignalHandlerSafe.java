// The handler only sets a volatile flag, and what it reads was written before it was registered.
package threads;

import sun.misc.Signal;

public class SignalHandlerSafe {
    private static volatile boolean stopped;
    private static String name;
    private static int done;

    public static void main(String[] args) {
        name = "INT"; //~ NORACE: before the handler is registered
        Signal.handle(new Signal(name), signal -> {
            stopped = signal.getName().equals(name); //~ NORACE: a volatile flag, and a name that nobody changes
        });
        while (!stopped && done < 3) { //~ NORACE: only main counts
            done++; //~ NORACE: only main counts
        }
        System.out.println("done");
    }
}
