// A flag that is set before the worker starts, by the initialiser of another class: who waits for it waits for nobody.
package order;

public class FlagSetByInitializer {
    static volatile boolean done;
    private static int rows;

    static class Early {
        static final String NAME = String.valueOf(7);

        static {
            done = true;
        }
    }

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            rows = 3; //~ RACE: nobody waits for it
            done = true;
        });
        System.out.println(Early.NAME);
        worker.start();
        while (!done) {
            Thread.onSpinWait();
        }
        System.out.println(rows); //~ RACE: the flag was set before
    }
}
