// The default handler of uncaught exceptions runs in every thread that dies of one.
package threads;

public class DefaultUncaughtHandler {
    private static int failures;

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failures++; //~ RACE
        });
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                throw new IllegalStateException("over");
            }).start();
        }
    }
}
