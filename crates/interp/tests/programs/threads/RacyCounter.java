/** A real data race: lost updates are allowed, so any total within bounds is right. Checked by bounds, not by value. */
public class RacyCounter {
    static int racy;
    static int[] cells = new int[1];

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int t = 0; t < 3; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20; i++) {
                    racy++;
                    cells[0] += 1;
                }
            });
        }
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
        System.out.println((racy >= 2 && racy <= 60) + " " + (cells[0] >= 2 && cells[0] <= 60));
    }
}
