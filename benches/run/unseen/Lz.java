import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Compresses blocks by repeated strings and Huffman codes, and expands them again, as tasks of two threads. */
public class Lz {
    static final class Bits {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private int held;
        private int count;

        void put(int value, int bits) {
            for (int i = bits - 1; i >= 0; i--) {
                held = held << 1 | value >>> i & 1;
                if (++count == 8) {
                    out.write(held);
                    held = 0;
                    count = 0;
                }
            }
        }

        byte[] done() {
            while (count != 0) put(0, 1);
            return out.toByteArray();
        }
    }

    static final class BitReader {
        private final byte[] data;
        private int at;

        BitReader(byte[] data) {
            this.data = data;
        }

        int bit() {
            int value = data[at >>> 3] >>> 7 - (at & 7) & 1;
            at++;
            return value;
        }

        int bits(int count) {
            int value = 0;
            for (int i = 0; i < count; i++) value = value << 1 | bit();
            return value;
        }
    }

    static final class Node implements Comparable<Node> {
        final int symbol;
        final long weight;
        final int number;
        final Node left;
        final Node right;

        Node(int symbol, long weight, int number, Node left, Node right) {
            this.symbol = symbol;
            this.weight = weight;
            this.number = number;
            this.left = left;
            this.right = right;
        }

        @Override
        public int compareTo(Node other) {
            return weight != other.weight ? Long.compare(weight, other.weight) : Integer.compare(number, other.number);
        }
    }

    /** Symbols: bytes, then lengths of repetitions. */
    private static final int SYMBOLS = 256 + 32;
    private static final int WINDOW = 1 << 13;

    static Node tree(int[] counts) {
        PriorityQueue<Node> queue = new PriorityQueue<>();
        int number = 0;
        for (int symbol = 0; symbol < counts.length; symbol++) queue.add(new Node(symbol, counts[symbol] + 1, number++, null, null));
        while (queue.size() > 1) {
            Node left = queue.poll();
            Node right = queue.poll();
            queue.add(new Node(-1, left.weight + right.weight, number++, left, right));
        }
        return queue.poll();
    }

    private static void codes(Node node, int code, int length, int[] codes, int[] lengths) {
        if (node.left == null) {
            codes[node.symbol] = code;
            lengths[node.symbol] = length;
            return;
        }
        codes(node.left, code << 1, length + 1, codes, lengths);
        codes(node.right, code << 1 | 1, length + 1, codes, lengths);
    }

    static byte[] compress(byte[] data) {
        int[] heads = new int[1 << 14];
        int[] chain = new int[data.length];
        Arrays.fill(heads, -1);
        int[] symbols = new int[data.length];
        int[] distances = new int[data.length];
        int count = 0;
        for (int at = 0; at < data.length; count++) {
            int best = 0;
            int distance = 0;
            if (at + 3 < data.length) {
                int hash = hash(data, at);
                int candidate = heads[hash];
                for (int tries = 0; candidate >= 0 && at - candidate < WINDOW && tries < 24; tries++) {
                    int length = 0;
                    while (length < 34 && at + length < data.length && data[candidate + length] == data[at + length]) length++;
                    if (length > best) {
                        best = length;
                        distance = at - candidate;
                    }
                    candidate = chain[candidate];
                }
            }
            int step = best >= 3 ? best : 1;
            symbols[count] = best >= 3 ? 256 + best - 3 : data[at] & 255;
            distances[count] = distance;
            for (int i = 0; i < step && at + 3 < data.length; i++, at++) {
                int hash = hash(data, at);
                chain[at] = heads[hash];
                heads[hash] = at;
            }
            if (at + 3 >= data.length && step > 0) {
                int covered = 0;
                for (int i = 0; i <= count; i++) covered += symbols[i] >= 256 ? symbols[i] - 253 : 1;
                at = covered;
            }
        }
        int[] counts = new int[SYMBOLS];
        for (int i = 0; i < count; i++) counts[symbols[i]]++;
        int[] codes = new int[SYMBOLS];
        int[] lengths = new int[SYMBOLS];
        codes(tree(counts), 0, 0, codes, lengths);
        Bits bits = new Bits();
        bits.put(data.length, 32);
        for (int symbol = 0; symbol < SYMBOLS; symbol++) bits.put(counts[symbol], 24);
        for (int i = 0; i < count; i++) {
            bits.put(codes[symbols[i]], lengths[symbols[i]]);
            if (symbols[i] >= 256) bits.put(distances[i], 13);
        }
        return bits.done();
    }

    private static int hash(byte[] data, int at) {
        return (data[at] * 961 ^ data[at + 1] * 31 ^ data[at + 2]) * 0x9e3779b1 >>> 18;
    }

    static byte[] expand(byte[] packed) {
        BitReader bits = new BitReader(packed);
        byte[] data = new byte[bits.bits(32)];
        int[] counts = new int[SYMBOLS];
        for (int symbol = 0; symbol < SYMBOLS; symbol++) counts[symbol] = bits.bits(24);
        Node root = tree(counts);
        int at = 0;
        while (at < data.length) {
            Node node = root;
            while (node.left != null) node = bits.bit() == 0 ? node.left : node.right;
            if (node.symbol < 256) {
                data[at++] = (byte) node.symbol;
            } else {
                int distance = bits.bits(13);
                for (int i = node.symbol - 253; i > 0; i--, at++) data[at] = data[at - distance];
            }
        }
        return data;
    }

    private static byte[] text(int size, int seed) {
        String[] words = {"the", "thread", "lock", "monitor", "barrier", "holds", "waits", "for", "a", "race", "order", "clock", "of", "and"};
        StringBuilder text = new StringBuilder();
        int state = seed;
        while (text.length() < size) {
            state = state * 1103515245 + 12345;
            text.append(words[(state >>> 16) % words.length]).append((state >>> 8 & 15) == 0 ? "." : " ");
            if ((state >>> 5 & 63) == 0) text.append(state);
        }
        return text.substring(0, size).getBytes();
    }

    public static void main(String[] args) throws Exception {
        int blocks = args.length > 0 ? Integer.parseInt(args[0]) : 40;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<byte[]> inputs = new ArrayList<>();
        List<Future<byte[]>> packed = new ArrayList<>();
        for (int i = 0; i < blocks; i++) {
            byte[] input = text(60_000, i + 1);
            inputs.add(input);
            packed.add(pool.submit(() -> compress(input)));
        }
        List<Future<byte[]>> expanded = new ArrayList<>();
        long size = 0;
        for (Future<byte[]> future : packed) {
            byte[] small = future.get();
            size += small.length;
            expanded.add(pool.submit(() -> expand(small)));
        }
        int right = 0;
        for (int i = 0; i < blocks; i++) right += Arrays.equals(inputs.get(i), expanded.get(i).get()) ? 1 : 0;
        pool.shutdown();
        System.out.println(right + " of " + blocks + ", " + size + " bytes");
    }
}
