// All threads of an array, filled in a loop, are joined in a second loop: main then reads what they wrote.
package order;

public class JoinArray {
    static class Part extends Thread {
        int sum;

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                sum += i; //~ NORACE: one object for each thread
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Part[] parts = new Part[4];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part();
            parts[i].start();
        }
        for (int i = 0; i < parts.length; i++) {
            parts[i].join();
        }
        int total = 0;
        for (Part part : parts) {
            total += part.sum; //~ NORACE: every thread of the array is joined
        }
        System.out.println(total);
    }
}
