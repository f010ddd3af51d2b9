// The main thread joins the worker first: its write happens before the read.
package order;

public class JoinSingle {
    private static String answer = "none";

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            answer = "forty-two"; //~ NORACE: main joins before it reads
        });
        worker.start();
        worker.join();
        System.out.println(answer); //~ NORACE: after the join
    }
}
