// The sender sets the message after it has left the monitor: the receiver may be awake already.
package order;

public class WaitNotifyUnlockedWrite {
    private boolean ready;
    private String message = "";

    void send(String text) {
        synchronized (this) {
            ready = true; //~ NORACE: guarded by this
            notifyAll();
        }
        message = text; //~ RACE
    }

    synchronized String receive() throws InterruptedException {
        while (!ready) { //~ NORACE: guarded by this
            wait();
        }
        return message; //~ RACE
    }

    public static void main(String[] args) throws Exception {
        WaitNotifyUnlockedWrite mailbox = new WaitNotifyUnlockedWrite();
        Thread sender = new Thread(() -> mailbox.send("hi"));
        sender.start();
        System.out.println(mailbox.receive().length() <= 2);
        sender.join();
    }
}
