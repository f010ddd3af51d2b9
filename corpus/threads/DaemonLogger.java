// A daemon thread reports statistics while main updates them: it is never joined, so nothing orders the two.
package threads;

public class DaemonLogger {
    private static int requests;
    private static String lastUser = "";

    public static void main(String[] args) throws Exception {
        Thread logger = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                String line = lastUser + requests; //~ RACE
                if (line.length() > 100) {
                    return;
                }
            }
        });
        logger.setDaemon(true);
        logger.start();
        for (int i = 0; i < 10; i++) {
            lastUser = "user" + i; //~ RACE
            requests++; //~ RACE
        }
        System.out.println("done");
    }
}
