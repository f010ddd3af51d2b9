// The classic guarded block: data and condition are changed and tested under the same monitor.
package order;

public class WaitNotify {
    private boolean ready;
    private String message;

    synchronized void send(String text) {
        message = text; //~ NORACE: guarded by this
        ready = true; //~ NORACE: guarded by this
        notifyAll();
    }

    synchronized String receive() throws InterruptedException {
        while (!ready) { //~ NORACE: guarded by this
            wait();
        }
        return message; //~ NORACE: guarded by this
    }

    public static void main(String[] args) throws Exception {
        WaitNotify mailbox = new WaitNotify();
        Thread sender = new Thread(() -> mailbox.send("hi"));
        sender.start();
        System.out.println(mailbox.receive());
        sender.join();
    }
}
