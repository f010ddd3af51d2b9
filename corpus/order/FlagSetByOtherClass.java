// A flag that a method of another class sets, too: who has seen it has not waited for the worker.
package order;

public class FlagSetByOtherClass {
    static volatile boolean done;
    private static int rows;

    static class Helper {
        static void skip() {
            done = true;
        }
    }

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done = true;
        });
        Thread other = new Thread(Helper::skip);
        worker.start();
        other.start();
        while (!done) {
            Thread.onSpinWait();
        }
        System.out.println(rows); //~ RACE: the flag may be set by the other
    }
}
