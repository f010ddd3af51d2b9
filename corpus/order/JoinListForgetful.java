// The application's own list does not keep what is added, so the loop that joins all joins nobody.
package order;

import java.util.ArrayList;

public class JoinListForgetful {
    private static int total;

    static class Forgetful extends ArrayList<Thread> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(Thread thread) {
            return false;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Forgetful workers = new Forgetful();
        for (int i = 0; i < 3; i++) {
            Thread worker = new Thread(() -> {
                synchronized (JoinListForgetful.class) {
                    total++; //~ RACE: nobody is joined
                }
            });
            workers.add(worker);
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(total); //~ RACE: the workers may still run
    }
}
