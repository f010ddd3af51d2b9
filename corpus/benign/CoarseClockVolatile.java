// The coarse clock with a volatile long: single writer, no tearing.
package benign;

public class CoarseClockVolatile {
    private static volatile long now;

    public static void main(String[] args) throws Exception {
        Thread ticker = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                now = System.nanoTime(); //~ NORACE: volatile
            }
        });
        ticker.start();
        long seen = now; //~ NORACE: volatile
        ticker.join();
        System.out.println(seen == 0 || now != 0);
    }
}
