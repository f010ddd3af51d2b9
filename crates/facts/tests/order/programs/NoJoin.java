/** The thread is started and not joined, or joined on one path only, or with a time limit. */
public class NoJoin {
    static int racyNever, racySometimes, racyTimed;

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> racyNever++);
        first.start();
        Thread second = new Thread(() -> racySometimes++);
        second.start();
        Thread third = new Thread(() -> racyTimed++);
        third.start();
        if (args.length > 0) {
            second.join();
        }
        third.join(100);
        System.out.println(racyNever + racySometimes + racyTimed);
    }
}
