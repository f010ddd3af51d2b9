// Lambdas capture copies of effectively final locals; each thread works with its own copy.
package modern;

public class LambdaCapturesValues {
    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            var label = "worker " + i;
            var start = i * 10;
            threads[i] = new Thread(() -> {
                int sum = start; //~ NORACE: a captured copy
                for (char c : label.toCharArray()) {
                    sum += c; //~ NORACE: a local
                }
                if (sum < 0) {
                    System.out.println(label);
                }
            });
            threads[i].start();
        }
        for (var thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
