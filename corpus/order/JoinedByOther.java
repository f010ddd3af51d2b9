// One thread joins another, come what may, and main joins only the last: order is transitive.
package order;

public class JoinedByOther {
    private static int value;

    static void joinUninterruptibly(Thread thread) {
        while (true) {
            try {
                thread.join();
                return;
            } catch (InterruptedException e) {
                // wait on
            }
        }
    }

    public static void main(String[] args) {
        Thread first = new Thread(() -> {
            value = 1; //~ NORACE: joined by the second thread
        });
        Thread second = new Thread(() -> {
            joinUninterruptibly(first);
            value += 10; //~ NORACE: after the first thread
        });
        first.start();
        second.start();
        joinUninterruptibly(second);
        System.out.println(value); //~ NORACE: after the second, and so after the first
    }
}
