// The loop starts a thread and joins it before the next one: there is never more than one.
package threads;

public class OneAfterAnotherInLoop {
    private static int finished;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            Thread step = new Thread(() -> {
                finished++; //~ NORACE: joined before the next one starts
            });
            step.start();
            step.join();
        }
        System.out.println(finished);
    }
}
