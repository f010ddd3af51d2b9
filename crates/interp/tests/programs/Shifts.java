/** Shifts of ints and longs by distances inside and outside of the mask. */
public class Shifts {
    public static void main(String[] args) {
        int[] distances = {0, 1, 5, 31, 32, 33, 63, 64, 65, -1, -31, -32};
        int[] ints = {1, -1, 0x80000000, 0x12345678, -123};
        for (int value : ints) {
            for (int d : distances) {
                System.out.print((value << d) + " " + (value >> d) + " " + (value >>> d) + ", ");
            }
            System.out.println();
        }
        long[] longs = {1L, -1L, 0x8000000000000000L, 0x123456789abcdef0L};
        for (long value : longs) {
            for (int d : distances) {
                System.out.print((value << d) + " " + (value >> d) + " " + (value >>> d) + ", ");
            }
            System.out.println();
        }
        System.out.println(1 << 33L);
        byte b = -8;
        System.out.println((b >> 1) + " " + (b >>> 1) + " " + (byte) (b >>> 1) + " " + ((b & 0xff) >>> 1));
        System.out.println(Integer.rotateLeft(0x80000001, 4) + " " + Long.rotateRight(3L, 1) + " " + Integer.reverse(6));
        System.out.println(Integer.numberOfLeadingZeros(255) + " " + Long.numberOfTrailingZeros(1L << 40) + " " + Integer.highestOneBit(77));
    }
}
