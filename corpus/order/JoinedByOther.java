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
            value = 1; //~ RACE spurious: joined by the second thread; a join by another thread, which is joined in
        });
        Thread second = new Thread(() -> {
            joinUninterruptibly(first);
            value += 10; //~ RACE spurious: after the first thread; a join by another thread, which is joined in turn
        });
        first.start();
        second.start();
        joinUninterruptibly(second);
        System.out.println(value); //~ RACE spurious: after the second, and so after the first; a join by another
    }
}
