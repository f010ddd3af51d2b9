// The main thread prints the result without waiting for the worker: no join, no order.
package order;

public class JoinMissing {
    private static String answer = "none";

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            answer = "forty-two"; //~ RACE
        });
        worker.start();
        System.out.println(answer.isEmpty()); //~ RACE
    }
}
