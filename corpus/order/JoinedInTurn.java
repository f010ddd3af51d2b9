// The second thread joins the first, main joins the second: main comes after both.
package order;

public class JoinedInTurn {
    private static int value;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> {
            value = 1; //~ NORACE: joined by the second
        });
        Thread second = new Thread(() -> {
            try {
                first.join();
            } catch (InterruptedException e) {
                return;
            }
            value += 10; //~ NORACE: after the first
        });
        first.start();
        second.start();
        second.join();
        System.out.println(value); //~ NORACE: nobody interrupts, so the second has waited for the first
    }
}
