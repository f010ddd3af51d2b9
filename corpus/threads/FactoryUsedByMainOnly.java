// The same factory called directly by the main thread only: its counter is main's, the threads' work is separate.
package threads;

import java.util.concurrent.ThreadFactory;

public class FactoryUsedByMainOnly {
    static class Naming implements ThreadFactory {
        private int created;

        @Override
        public Thread newThread(Runnable work) {
            return new Thread(work, "worker-" + created++); //~ NORACE: called by main only
        }
    }

    public static void main(String[] args) throws Exception {
        Naming factory = new Naming();
        Thread first = factory.newThread(() -> System.out.print(""));
        Thread second = factory.newThread(() -> System.out.print(""));
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println(factory.created); //~ NORACE: main again
    }
}
