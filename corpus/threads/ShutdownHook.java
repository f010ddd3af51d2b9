// A shutdown hook can run at any time (a signal ends the process): its read races with main's unordered writes.
package threads;

public class ShutdownHook {
    private static int saved;
    private static volatile int confirmed;

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            boolean complete = saved == 3 && confirmed == 3; //~ RACE
            if (!complete) {
                System.err.print("");
            }
        }));
        for (int i = 0; i < 3; i++) {
            saved++; //~ RACE
            confirmed++; //~ NORACE: volatile, and only main writes
        }
        System.out.println("saved");
    }
}
