// Relative gets and puts move the buffer's position: a shared buffer races even if the bytes are different ones.
package containers;

import java.nio.ByteBuffer;

public class SharedByteBuffer {
    public static void main(String[] args) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        Thread other = new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                buffer.put((byte) i); //~ RACE
            }
        });
        other.start();
        for (int i = 0; i < 10; i++) {
            buffer.put((byte) -i); //~ RACE
        }
        other.join();
        System.out.println(buffer.position() <= 20); //~ NORACE: after the join
    }
}
