/** A loop that joins each thread before it starts the next, and one that joins the one before. */
public class LoopTurns {
    static int safeTurns, racyLagging;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            Thread step = new Thread(() -> safeTurns++);
            step.start();
            step.join();
        }
        System.out.println(safeTurns);
        Thread before = null;
        for (int i = 0; i < 3; i++) {
            Thread step = new Thread(() -> racyLagging++);
            step.start();
            if (before != null) {
                before.join();
            }
            before = step;
        }
    }
}
