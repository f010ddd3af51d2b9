// A web spider: the queue is locked, but the counter of running downloads and the quit flag are read without the lock.
package papers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

public class WeblechShape {
    static class Spider implements Runnable {
        private final Deque<String> queue = new ArrayDeque<>();
        private final Set<String> seen = new HashSet<>();
        private int downloads;
        private boolean quit;

        void queueUrl(String url) {
            synchronized (queue) {
                if (seen.add(url)) { //~ NORACE: guarded by queue
                    queue.add(url); //~ NORACE: guarded by queue
                }
            }
        }

        @Override
        public void run() {
            for (int round = 0; round < 50 && !quit; round++) { //~ RACE
                String url;
                synchronized (queue) {
                    url = queue.poll(); //~ NORACE: guarded by queue
                    if (url != null) {
                        downloads++; //~ RACE
                    }
                }
                if (url != null) {
                    if (url.length() < 6) {
                        queueUrl(url + "/a");
                    }
                    synchronized (queue) {
                        downloads--; //~ RACE
                    }
                }
            }
        }

        void stop() {
            quit = true; //~ RACE
        }

        boolean idle() {
            return downloads == 0; //~ RACE: the lock is not held
        }
    }

    public static void main(String[] args) throws Exception {
        Spider spider = new Spider();
        spider.queueUrl("w");
        spider.queueUrl("x");
        Thread a = new Thread(spider);
        Thread b = new Thread(spider);
        a.start();
        b.start();
        System.out.println(spider.idle() || !spider.idle());
        spider.stop();
        a.join();
        b.join();
    }
}
