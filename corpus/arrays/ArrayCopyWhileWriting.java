// System.arraycopy reads the source's elements: a snapshot taken beside a writer is a race.
package arrays;

public class ArrayCopyWhileWriting {
    private final byte[] frame = new byte[32];

    void draw() {
        for (int i = 0; i < frame.length; i++) {
            frame[i] = (byte) i; //~ RACE
        }
    }

    byte[] snapshot() {
        byte[] copy = new byte[frame.length];
        System.arraycopy(frame, 0, copy, 0, copy.length); //~ RACE
        return copy;
    }

    public static void main(String[] args) throws Exception {
        ArrayCopyWhileWriting screen = new ArrayCopyWhileWriting();
        Thread artist = new Thread(screen::draw);
        artist.start();
        System.out.println(screen.snapshot().length);
        artist.join();
    }
}
