import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Hashes blocks of data by SHA-256 and CRC-32 and finds blocks that occur twice, in a table that two workers share under locks. */
public class Digests {
    static final class Sha256 {
        private static final int[] K = new int[64];

        static {
            int found = 0;
            for (int n = 2; found < 64; n++) {
                boolean prime = true;
                for (int d = 2; d * d <= n && prime; d++) prime = n % d != 0;
                if (prime) K[found++] = (int) (long) ((Math.cbrt(n) - Math.floor(Math.cbrt(n))) * (1L << 32));
            }
        }

        private final int[] state = {
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
        };
        private final int[] words = new int[64];

        void update(byte[] data, int at) {
            int[] w = words;
            for (int i = 0; i < 16; i++, at += 4) {
                w[i] = data[at] << 24 | (data[at + 1] & 255) << 16 | (data[at + 2] & 255) << 8 | data[at + 3] & 255;
            }
            for (int i = 16; i < 64; i++) {
                int s0 = Integer.rotateRight(w[i - 15], 7) ^ Integer.rotateRight(w[i - 15], 18) ^ w[i - 15] >>> 3;
                int s1 = Integer.rotateRight(w[i - 2], 17) ^ Integer.rotateRight(w[i - 2], 19) ^ w[i - 2] >>> 10;
                w[i] = w[i - 16] + s0 + w[i - 7] + s1;
            }
            int a = state[0], b = state[1], c = state[2], d = state[3];
            int e = state[4], f = state[5], g = state[6], h = state[7];
            for (int i = 0; i < 64; i++) {
                int s1 = Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25);
                int t1 = h + s1 + (e & f ^ ~e & g) + K[i] + w[i];
                int s0 = Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22);
                int t2 = s0 + (a & b ^ a & c ^ b & c);
                h = g;
                g = f;
                f = e;
                e = d + t1;
                d = c;
                c = b;
                b = a;
                a = t1 + t2;
            }
            int[] now = {a, b, c, d, e, f, g, h};
            for (int i = 0; i < 8; i++) state[i] += now[i];
        }

        long prefix() {
            return (long) state[0] << 32 | state[1] & 0xffffffffL;
        }
    }

    static final class Crc {
        private static final int[] TABLE = new int[256];

        static {
            for (int i = 0; i < 256; i++) {
                int value = i;
                for (int bit = 0; bit < 8; bit++) value = (value & 1) != 0 ? value >>> 1 ^ 0xedb88320 : value >>> 1;
                TABLE[i] = value;
            }
        }

        static int of(byte[] data) {
            int crc = -1;
            for (byte b : data) crc = TABLE[(crc ^ b) & 255] ^ crc >>> 8;
            return ~crc;
        }
    }

    /** Open addressing; a lock for each part. */
    static final class Table {
        private static final int PARTS = 16;
        private final long[][] keys = new long[PARTS][1 << 12];
        private final int[][] counts = new int[PARTS][1 << 12];
        private final Object[] locks = new Object[PARTS];

        Table() {
            for (int i = 0; i < PARTS; i++) locks[i] = new Object();
        }

        int add(long key) {
            int part = (int) (key >>> 60);
            synchronized (locks[part]) {
                long[] row = keys[part];
                int slot = (int) (key ^ key >>> 29) & row.length - 1;
                while (row[slot] != 0 && row[slot] != key) slot = slot + 1 & row.length - 1;
                row[slot] = key;
                return ++counts[part][slot];
            }
        }

        int twice() {
            int found = 0;
            for (int part = 0; part < PARTS; part++) {
                synchronized (locks[part]) {
                    for (int count : counts[part]) found += count > 1 ? 1 : 0;
                }
            }
            return found;
        }
    }

    private static final byte[] END = {};

    static final class Worker extends Thread {
        private final BlockingQueue<byte[]> blocks;
        private final Table table;
        long sum;
        int crcs;

        Worker(BlockingQueue<byte[]> blocks, Table table) {
            this.blocks = blocks;
            this.table = table;
        }

        @Override
        public void run() {
            try {
                for (byte[] block = blocks.take(); block != END; block = blocks.take()) {
                    Sha256 digest = new Sha256();
                    for (int at = 0; at < block.length; at += 64) digest.update(block, at);
                    long key = digest.prefix();
                    table.add(key);
                    sum += key;
                    crcs ^= Crc.of(block);
                }
                blocks.put(END);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int count = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(64);
        Table table = new Table();
        Worker[] workers = {new Worker(blocks, table), new Worker(blocks, table)};
        for (Worker worker : workers) worker.start();
        for (int i = 0; i < count; i++) {
            byte[] block = new byte[8192];
            int state = i % 5 == 4 ? i / 2 + 1 : i + 1;
            for (int at = 0; at < block.length; at++) {
                state = state * 1103515245 + 12345;
                block[at] = (byte) (state >>> 16);
            }
            blocks.put(block);
        }
        blocks.put(END);
        long sum = 0;
        int crcs = 0;
        for (Worker worker : workers) {
            worker.join();
            sum += worker.sum;
            crcs ^= worker.crcs;
        }
        System.out.printf("%016x %08x %d%n", sum, crcs, table.twice());
    }
}
