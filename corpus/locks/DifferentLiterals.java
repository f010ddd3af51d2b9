// Two different string literals are two locks, so nothing guards the field in common.
package locks;

public class DifferentLiterals {
    private static int shared;

    static class Left implements Runnable {
        public void run() {
            synchronized ("corpus.left") {
                shared++; //~ RACE
            }
        }
    }

    static class Right implements Runnable {
        public void run() {
            synchronized ("corpus.right") {
                shared--; //~ RACE
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(new Left());
        Thread b = new Thread(new Right());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(shared); //~ NORACE: after the joins
    }
}
