// The reader looks at the volatile flag but reads the data whatever it says.
package order;

public class VolatileFlagUnchecked {
    private static int data;
    private static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            data = 42; //~ RACE
            ready = true; //~ NORACE: volatile
        });
        writer.start();
        boolean early = !ready; //~ NORACE: volatile
        int seen = data; //~ RACE
        System.out.println(early || seen == 42);
        writer.join();
    }
}
