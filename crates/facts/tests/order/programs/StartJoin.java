/** One thread: before its start, beside it, after its join. */
public class StartJoin {
    static int safeBefore, safeAfter, racyBeside, safeOnlyMain, likelyAfterInterrupted;

    public static void main(String[] args) throws Exception {
        safeBefore = 1;
        safeOnlyMain = 1;
        Thread worker = new Thread(() -> {
            int seen = safeBefore;
            safeAfter = seen;
            racyBeside = seen;
        });
        worker.start();
        racyBeside = 2;
        worker.join();
        System.out.println(safeAfter + safeOnlyMain);
    }
}
