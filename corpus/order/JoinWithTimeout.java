// A join with a timeout may give up: what follows is not ordered after the worker.
package order;

public class JoinWithTimeout {
    private static int progress;

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                progress = i; //~ RACE
            }
        });
        worker.start();
        worker.join(1);
        System.out.println(progress >= 0); //~ RACE
    }
}
