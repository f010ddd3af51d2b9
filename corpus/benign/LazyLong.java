// Lazy initialisation of a long: the two halves may be read from different writes. Harmful by the letter.
package benign;

public class LazyLong {
    private final long[] parts;
    private long checksum;

    LazyLong(long... parts) {
        this.parts = parts;
    }

    long checksum() {
        long c = checksum; //~ RACE: a 64-bit value may be torn
        if (c == 0) {
            for (long part : parts) {
                c = c * 1_000_003L + part;
            }
            checksum = c; //~ RACE: a 64-bit value may be torn
        }
        return c;
    }

    public static void main(String[] args) throws Exception {
        LazyLong file = new LazyLong(1L << 40, 77L);
        Thread other = new Thread(file::checksum);
        other.start();
        file.checksum();
        other.join();
    }
}
