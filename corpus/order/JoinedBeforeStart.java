// A join of a thread that has not been started returns at once: the second thread may run before the first.
package order;

public class JoinedBeforeStart {
    private static int value;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> {
            value = 1; //~ RACE
        });
        Thread second = new Thread(() -> {
            try {
                first.join();
            } catch (InterruptedException e) {
                return;
            }
            value += 10; //~ RACE: the first may start only now
        });
        second.start();
        first.start();
        second.join();
        first.join();
        System.out.println(value); //~ NORACE: after both joins
    }
}
