// One thread refreshes a plain long that others read as the time: a torn read gives a time that never was.
package benign;

public class CoarseClock {
    private static long now;

    public static void main(String[] args) throws Exception {
        Thread ticker = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                now = System.nanoTime(); //~ RACE: a 64-bit value may be torn
            }
        });
        ticker.start();
        long seen = now; //~ RACE: a 64-bit value may be torn
        System.out.println(seen == seen);
        ticker.join();
    }
}
