/** The thread is kept in a field between start and join. */
public class InField {
    static int safeState, racyState;
    private Thread worker;

    void begin() {
        worker = new Thread(() -> safeState++);
        worker.start();
    }

    void end() {
        try {
            worker.join();
        } catch (InterruptedException e) {
            System.out.println("never");
        }
    }

    static class Twice {
        private Thread worker;

        void begin() {
            worker = new Thread(() -> racyState++);
            worker.start();
        }

        void end() throws InterruptedException {
            worker.join();
        }
    }

    public static void main(String[] args) throws Exception {
        InField one = new InField();
        one.begin();
        one.end();
        safeState++;
        Twice two = new Twice();
        two.begin();
        two.begin();
        two.end();
        racyState++;
    }
}
