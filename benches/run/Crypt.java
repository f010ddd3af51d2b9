// A block cipher over a large byte array, which threads encrypt and decrypt by parts.
public class Crypt {
    public static void main(String[] args) throws Exception {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 3_000_000;
        byte[] plain = new byte[size];
        byte[] secret = new byte[size];
        byte[] back = new byte[size];
        int[] key = new int[52];
        for (int i = 0; i < key.length; i++) {
            key[i] = i * 7919 + 13;
        }
        for (int i = 0; i < size; i++) {
            plain[i] = (byte) (i * 31);
        }
        pass(plain, secret, key, 1);
        pass(secret, back, key, -1);
        System.out.println(java.util.Arrays.equals(plain, back));
    }

    static void pass(byte[] from, byte[] to, int[] key, int sign) throws Exception {
        Thread[] workers = new Thread[2];
        for (int t = 0; t < workers.length; t++) {
            int low = from.length / 2 * t;
            int high = t == 1 ? from.length : from.length / 2;
            workers[t] = new Thread(() -> {
                for (int i = low; i < high; i++) {
                    int mask = key[i % 52];
                    for (int round = 0; round < 8; round++) {
                        mask = mask * 1103515245 + key[(i + round) % 52];
                    }
                    to[i] = (byte) (from[i] + sign * (mask >>> 16));
                }
            });
            workers[t].start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
