import java.io.IOException;
import java.io.InputStream;

class Exceptions {
    int state;

    int catches(int n) {
        int before = n;
        try {
            before = call(n);
            before += call(before);
        } catch (IOException e) {
            return before + e.hashCode();
        } catch (IllegalStateException | NullPointerException e) {
            before--;
        }
        return before;
    }

    int finallyRuns(int n) {
        try {
            if (n > 3) return call(n);
            n++;
        } catch (IOException e) {
            n = -1;
        } finally {
            state = n;
        }
        return n;
    }

    int nested(int[] a) {
        int i = 0;
        while (true) {
            try {
                try {
                    a[i] /= a[i + 1];
                    i++;
                } catch (ArithmeticException e) {
                    a[i++] = 0;
                    continue;
                } finally {
                    state++;
                }
                if (a[i] < 0) break;
            } catch (ArrayIndexOutOfBoundsException e) {
                return i;
            }
        }
        return -i;
    }

    int resources(byte[] data) throws IOException {
        try (InputStream in = new java.io.ByteArrayInputStream(data)) {
            return in.read();
        }
    }

    int call(int n) throws IOException {
        if (n == 0) throw new IOException("zero");
        return n;
    }
}
