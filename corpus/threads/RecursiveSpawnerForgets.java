// Each thread starts two more and joins one of them: when the root has ended, others may still count.
package threads;

public class RecursiveSpawnerForgets extends Thread {
    private static int leaves;
    private final int depth;

    RecursiveSpawnerForgets(int depth) {
        this.depth = depth;
    }

    @Override
    public void run() {
        if (depth == 0) {
            leaves++; //~ RACE
            return;
        }
        RecursiveSpawnerForgets left = new RecursiveSpawnerForgets(depth - 1);
        RecursiveSpawnerForgets right = new RecursiveSpawnerForgets(depth - 1);
        left.start();
        right.start();
        try {
            left.join();
        } catch (InterruptedException e) {
            interrupt();
        }
    }

    public static void main(String[] args) throws Exception {
        RecursiveSpawnerForgets root = new RecursiveSpawnerForgets(3);
        root.start();
        root.join();
        System.out.println(leaves <= 8); //~ RACE
    }
}
