// The one-element array trick, which gets around effectively final locals, makes the local shared and racy.
package modern;

public class LambdaCapturesArray {
    public static void main(String[] args) throws Exception {
        int[] counter = {0};
        Runnable task = () -> {
            for (int i = 0; i < 10; i++) {
                counter[0]++; //~ RACE
            }
        };
        Thread a = new Thread(task);
        Thread b = new Thread(task);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(counter[0] > 0); //~ NORACE: after both joins
    }
}
