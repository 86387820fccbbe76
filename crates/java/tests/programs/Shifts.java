// Shifts with distances beyond the width, negative distances, and small operand types.
public class Shifts {
    public static void main(String[] args) {
        int[] ints = {1, -1, 0x12345678, 0x80000000, 0x7fffffff, -100};
        long[] longs = {1L, -1L, 0x123456789abcdef0L, Long.MIN_VALUE, Long.MAX_VALUE, -100L};
        int[] distances = {0, 1, 4, 31, 32, 33, 63, 64, 65, -1, -31, -32, 100};
        for (int v : ints) {
            for (int d : distances) {
                System.out.println(v + " by " + d + ": " + (v << d) + " " + (v >> d) + " " + (v >>> d));
            }
        }
        for (long v : longs) {
            for (int d : distances) {
                System.out.println(v + " by " + d + ": " + (v << d) + " " + (v >> d) + " " + (v >>> d));
            }
        }
        int v = 3;
        System.out.println((v << 33L) + " " + (v << (1L << 32)) + " " + (1L << 40 >>> 8));
        byte b = -8;
        System.out.println((b >> 1) + " " + (b >>> 1) + " " + (byte) (b >>> 1));
        b >>>= 1;
        System.out.println(b);
        b <<= 5;
        System.out.println(b);
        short s = -1;
        s >>>= 10;
        System.out.println(s);
        char c = '\uffff';
        c >>= 4;
        System.out.println((int) c);
        System.out.println(Integer.rotateLeft(0x12345678, 8) + " " + Long.rotateRight(0x123456789abcdef0L, 12));
    }
}
