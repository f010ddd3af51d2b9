// Reflection raises the flag before the writer has written.
package order;

public class FlagSetByReflection {
    private static volatile boolean ready;
    private static int data;

    public static void main(String[] args) throws ReflectiveOperationException {
        FlagSetByReflection.class.getDeclaredField("ready").setBoolean(null, true);
        new Thread(() -> {
            data = 1; //~ RACE
            ready = true;
        }).start();
        while (!ready) {
            Thread.onSpinWait();
        }
        System.out.println(data); //~ RACE: the flag was up from the start
    }
}
