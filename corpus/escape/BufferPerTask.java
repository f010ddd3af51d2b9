// Each task object makes its own buffer in its constructor; main makes the task, one thread runs it.
package escape;

public class BufferPerTask implements Runnable {
    private final StringBuilder buffer = new StringBuilder();
    private final String prefix;

    BufferPerTask(String prefix) {
        this.prefix = prefix;
        buffer.append(prefix); //~ NORACE: in the constructor, before the thread starts
    }

    @Override
    public void run() {
        for (int i = 0; i < 5; i++) {
            buffer.append(i); //~ NORACE: the task's own buffer
        }
    }

    public static void main(String[] args) throws Exception {
        BufferPerTask left = new BufferPerTask("l");
        BufferPerTask right = new BufferPerTask("r");
        Thread a = new Thread(left);
        Thread b = new Thread(right);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(left.buffer.length() + right.buffer.length() + left.prefix); //~ NORACE: after the joins
    }
}
