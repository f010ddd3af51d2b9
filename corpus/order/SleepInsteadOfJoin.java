// Sleeping long enough is no order: the memory model knows nothing about time.
package order;

public class SleepInsteadOfJoin {
    private static String greeting = "";

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            greeting = "hello"; //~ RACE
        });
        worker.start();
        Thread.sleep(30);
        System.out.println(greeting.length() <= 5); //~ RACE
    }
}
