// The default handler reads what the main thread still writes; it runs in the thread that dies.
package threads;

public class DefaultUncaughtHandlerReads {
    private static int rows;

    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            System.out.println(rows); //~ RACE
        });
        new Thread(() -> {
            throw new IllegalStateException("over");
        }).start();
        rows = 3; //~ RACE
    }
}
