// The joining loop waits for the first thread twice and for the second never.
package order;

public class ThreadListedTwice {
    private static int rows;

    public static void main(String[] args) throws InterruptedException {
        Thread empty = new Thread(() -> System.out.print(""));
        Thread loader = new Thread(() -> {
            rows = 5; //~ RACE
        });
        Thread[] all = {empty, empty};
        empty.start();
        loader.start();
        for (Thread thread : all) {
            thread.join();
        }
        System.out.println(rows >= 0); //~ RACE
    }
}
