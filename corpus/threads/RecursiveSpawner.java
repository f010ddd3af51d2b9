// Each thread starts two more until the depth is used up: one start line, many threads, one shared counter.
package threads;

public class RecursiveSpawner extends Thread {
    private static int leaves;
    private final int depth;

    RecursiveSpawner(int depth) {
        this.depth = depth;
    }

    @Override
    public void run() {
        if (depth == 0) {
            leaves++; //~ RACE
            return;
        }
        RecursiveSpawner left = new RecursiveSpawner(depth - 1);
        RecursiveSpawner right = new RecursiveSpawner(depth - 1);
        left.start();
        right.start();
        try {
            left.join();
            right.join();
        } catch (InterruptedException e) {
            interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        RecursiveSpawner root = new RecursiveSpawner(3);
        root.start();
        root.join();
        System.out.println(leaves <= 8); //~ NORACE: the root joins its children before it ends
    }
}
