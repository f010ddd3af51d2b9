// The twin of DefaultUncaughtHandler, with a lock.
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
