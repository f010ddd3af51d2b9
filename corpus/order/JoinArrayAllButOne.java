// The joining loop starts at one: the first thread of the array is never waited for.
package order;

public class JoinArrayAllButOne {
    static class Part extends Thread {
        int sum;

        @Override
        public void run() {
            for (int i = 0; i < 10; i++) {
                sum += i; //~ RACE
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Part[] parts = new Part[4];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new Part();
            parts[i].start();
        }
        for (int i = 1; i < parts.length; i++) {
            parts[i].join();
        }
        System.out.println(parts[0].sum >= 0); //~ RACE
    }
}
