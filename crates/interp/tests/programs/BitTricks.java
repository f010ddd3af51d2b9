import java.nio.charset.StandardCharsets;

/** CRC, hashes, base 64, run-length and Huffman-like coding, bit counting by hand: dense integer code. */
public class BitTricks {
    static final int[] TABLE = new int[256];

    static {
        for (int n = 0; n < 256; n++) {
            int c = n;
            for (int k = 0; k < 8; k++) c = (c & 1) != 0 ? 0xEDB88320 ^ (c >>> 1) : c >>> 1;
            TABLE[n] = c;
        }
    }

    static int crc(byte[] data) {
        int c = ~0;
        for (byte b : data) c = TABLE[(c ^ b) & 0xff] ^ (c >>> 8);
        return ~c;
    }

    static long fnv(byte[] data) {
        long h = 0xcbf29ce484222325L;
        for (byte b : data) {
            h ^= b & 0xff;
            h *= 0x100000001b3L;
        }
        return h;
    }

    static int murmurMix(int k) {
        k ^= k >>> 16;
        k *= 0x85ebca6b;
        k ^= k >>> 13;
        k *= 0xc2b2ae35;
        return k ^ k >>> 16;
    }

    static int popcount(int v) {
        v = v - (v >>> 1 & 0x55555555);
        v = (v & 0x33333333) + (v >>> 2 & 0x33333333);
        return (v + (v >>> 4) & 0x0f0f0f0f) * 0x01010101 >>> 24;
    }

    static String runLength(String s) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0, j; i < s.length(); i = j) {
            for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); ) j++;
            sb.append(j - i).append(s.charAt(i));
        }
        return sb.toString();
    }

    static int adler(byte[] data) {
        int a = 1, b = 0;
        for (byte d : data) {
            a = (a + (d & 0xff)) % 65521;
            b = (b + a) % 65521;
        }
        return b << 16 | a;
    }

    static int isqrt(long n) {
        long r = 0;
        for (long bit = 1L << 30; bit != 0; bit >>= 1) if ((r | bit) * (r | bit) <= n) r |= bit;
        return (int) r;
    }

    static String toBase(long n, int base) {
        char[] buf = new char[65];
        int at = buf.length;
        boolean negative = n < 0;
        do {
            buf[--at] = Character.forDigit((int) Math.abs(n % base), base);
            n /= base;
        } while (n != 0);
        if (negative) buf[--at] = '-';
        return new String(buf, at, buf.length - at);
    }

    public static void main(String[] args) {
        byte[] data = "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII);
        System.out.println(Integer.toHexString(crc(data)) + " " + Long.toHexString(fnv(data)) + " " + adler(data));
        int mix = 0;
        for (int i = 0; i < 200; i++) mix = murmurMix(mix + i);
        System.out.println(mix + " " + popcount(-1) + " " + popcount(0x12345678) + " " + Integer.bitCount(0x12345678));
        System.out.println(runLength("aaabccddddd") + " " + isqrt(99980001L) + " " + isqrt(2147483647L));
        System.out.println(toBase(Long.MIN_VALUE, 7) + " " + toBase(255, 16) + " " + toBase(0, 2) + " " + toBase(-35, 36));
        System.out.println(java.util.Base64.getEncoder().encodeToString(data) + " " + new String(java.util.Base64.getDecoder().decode("aGVsbG8="), StandardCharsets.UTF_8));
        long gray = 0;
        for (int i = 0; i < 64; i++) gray = gray * 3 + (i ^ i >> 1);
        System.out.println(gray + " " + Long.reverse(gray) + " " + Integer.reverseBytes(0x01020304) + " " + Short.toUnsignedInt((short) -1) + " " + Long.compareUnsigned(-1, 1) + " " + Long.divideUnsigned(-1, 10) + " " + Integer.remainderUnsigned(-1, 7));
    }
}
