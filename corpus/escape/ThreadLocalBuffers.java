// selvedge: library=escape.ThreadLocalBuffers
// Formats and buffers per thread, by ThreadLocal.withInitial; what leaves is a string or a copy.
package escape;

import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Date;

public class ThreadLocalBuffers {
    private static final ThreadLocal<SimpleDateFormat> FORMAT =
        ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy-MM-dd"));
    private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[64]);
    private final ThreadLocal<StringBuilder> text = new ThreadLocal<>() {
        @Override
        protected StringBuilder initialValue() {
            return new StringBuilder(32);
        }
    };

    public String day(long millis) {
        return FORMAT.get().format(new Date(millis)); //~ NORACE: each thread has its own
    }

    public byte[] digits(int number) {
        byte[] buffer = BYTES.get();
        int length = 0;
        for (int rest = number; rest > 0; rest /= 10) {
            buffer[length++] = (byte) ('0' + rest % 10); //~ NORACE: each thread has its own
        }
        return Arrays.copyOf(buffer, length); //~ NORACE: a copy leaves
    }

    public String join(String a, String b) {
        StringBuilder builder = text.get();
        builder.setLength(0); //~ NORACE: each thread has its own
        builder.append(a).append(b); //~ NORACE: each thread has its own
        return builder.toString(); //~ NORACE: each thread has its own
    }

    public void done() {
        text.remove();
    }
}
