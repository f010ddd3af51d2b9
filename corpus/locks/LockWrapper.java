// A wrapper whose methods lock and unlock for their callers: the lock is held between the two calls.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class LockWrapper {
    private final ReentrantLock lock = new ReentrantLock();
    private int revision;

    private void begin() {
        lock.lock();
    }

    private void end() {
        lock.unlock();
    }

    void edit() {
        begin();
        try {
            revision++; //~ NORACE: between begin and end
        } finally {
            end();
        }
    }

    public static void main(String[] args) throws Exception {
        LockWrapper document = new LockWrapper();
        Thread coauthor = new Thread(document::edit);
        coauthor.start();
        document.edit();
        coauthor.join();
        System.out.println(document.revision);
    }
}
