// A buffer is handed from producer to consumer through a locked slot: outside the lock it always has one owner.
package escape;

public class OwnershipThroughLock {
    static class Buffer {
        int fill;
    }

    private Buffer slot;

    synchronized void give(Buffer buffer) {
        slot = buffer; //~ NORACE: guarded by this
        notifyAll();
    }

    synchronized Buffer get() throws InterruptedException {
        while (slot == null) { //~ NORACE: guarded by this
            wait();
        }
        Buffer buffer = slot; //~ NORACE: guarded by this
        slot = null; //~ NORACE: guarded by this
        return buffer;
    }

    public static void main(String[] args) throws Exception {
        OwnershipThroughLock desk = new OwnershipThroughLock();
        Thread producer = new Thread(() -> {
            Buffer buffer = new Buffer();
            buffer.fill = 3; //~ NORACE: before it is given away
            desk.give(buffer);
        });
        producer.start();
        Buffer buffer = desk.get();
        buffer.fill++; //~ NORACE: taken out, now main's
        System.out.println(buffer.fill);
        producer.join();
    }
}
