// One method forgets to call begin() around its access.
package locks;

import java.util.concurrent.locks.ReentrantLock;

public class LockWrapperMisused {
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
            revision++; //~ RACE
        } finally {
            end();
        }
    }

    int revision() {
        return revision; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        LockWrapperMisused document = new LockWrapperMisused();
        Thread coauthor = new Thread(document::edit);
        coauthor.start();
        System.out.println(document.revision() >= 0);
        coauthor.join();
    }
}
