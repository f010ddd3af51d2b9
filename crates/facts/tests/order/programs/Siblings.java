/** Two threads one after the other, and two beside each other. */
public class Siblings {
    static int safeTurns, racyTogether;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> safeTurns++);
        first.start();
        first.join();
        Thread second = new Thread(() -> {
            safeTurns++;
            racyTogether++;
        });
        second.start();
        Thread third = new Thread(() -> racyTogether++);
        third.start();
        second.join();
        third.join();
        System.out.println(safeTurns + racyTogether);
    }
}
