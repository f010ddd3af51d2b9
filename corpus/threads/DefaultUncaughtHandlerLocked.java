// The twin of DefaultUncaughtHandler: the handler holds a lock while it counts the threads that die.
package threads;

public class DefaultUncaughtHandlerLocked {
    private static int failures;

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            synchronized (DefaultUncaughtHandlerLocked.class) {
                failures++; //~ NORACE: under the lock
            }
        });
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                throw new IllegalStateException("over");
            }).start();
        }
    }
}
