// The writer raises the volatile flag before it writes the data.
package order;

public class VolatileFlagWrongOrder {
    private static int data;
    private static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            ready = true; //~ NORACE: volatile
            data = 42; //~ RACE
        });
        writer.start();
        while (!ready) {
            Thread.onSpinWait();
        }
        System.out.println(data >= 0); //~ RACE
        writer.join();
    }
}
