// selvedge: library=open.BlockingMailbox
// A mailbox with wait and notifyAll: a well-locked library class.
package open;

import java.util.LinkedList;

public class BlockingMailbox {
    private final LinkedList<String> messages = new LinkedList<>();
    private boolean closed;

    public synchronized void send(String message) {
        if (closed) { //~ NORACE: guarded by this
            throw new IllegalStateException("closed");
        }
        messages.addLast(message); //~ NORACE: guarded by this
        notifyAll();
    }

    public synchronized String receive() throws InterruptedException {
        while (messages.isEmpty() && !closed) { //~ NORACE: guarded by this
            wait();
        }
        return messages.pollFirst(); //~ NORACE: guarded by this
    }

    public synchronized void close() {
        closed = true; //~ NORACE: guarded by this
        notifyAll();
    }
}
