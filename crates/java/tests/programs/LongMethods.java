// Static methods of Long over edge values.
public class LongMethods {
    public static void main(String[] args) {
        long[] values = {0, 1, -1, 10, -10, 255, 1L << 32, (1L << 32) - 1, 0x0f0f0f0f0f0f0f0fL, 0x123456789abcdef0L, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long v : values) {
            System.out.println(v + " bits " + Long.bitCount(v) + " lead " + Long.numberOfLeadingZeros(v) + " trail " + Long.numberOfTrailingZeros(v)
                + " high " + Long.highestOneBit(v) + " low " + Long.lowestOneBit(v) + " reverse " + Long.reverse(v) + " bytes "
                + Long.reverseBytes(v) + " rot " + Long.rotateLeft(v, 7) + " " + Long.rotateRight(v, 67) + " sign " + Long.signum(v));
            System.out.println("  " + Long.toBinaryString(v) + " " + Long.toOctalString(v) + " " + Long.toHexString(v) + " " + Long.toString(v, 36)
                + " " + Long.toString(v, 3) + " " + Long.toUnsignedString(v) + " " + Long.toUnsignedString(v, 10) + " "
                + Long.toUnsignedString(v, 32));
            System.out.println("  " + Long.divideUnsigned(v, 10) + " " + Long.remainderUnsigned(v, 10) + " " + Long.divideUnsigned(v, -3) + " "
                + Long.hashCode(v) + " " + Long.max(v, 5) + " " + Long.compareUnsigned(v, 5) + " " + Math.floorMod(v, 7));
        }
        System.out.println(Long.parseLong("-9223372036854775808") + " " + Long.parseLong("zz", 36) + " "
            + Long.parseUnsignedLong("18446744073709551615") + " " + Long.decode("0xFFFF") + " " + Long.valueOf(5).equals(5L) + " "
            + Long.valueOf(5).equals(5));
        System.out.println(Math.multiplyFull(Integer.MAX_VALUE, Integer.MAX_VALUE) + " " + Math.multiplyHigh(1L << 40, 1L << 40) + " "
            + Math.absExact(-5L) + " " + Math.ceilDiv());
    }

    static class Math {
        static long floorMod(long a, int b) {
            return java.lang.Math.floorMod(a, b);
        }

        static long multiplyFull(int a, int b) {
            return java.lang.Math.multiplyFull(a, b);
        }

        static long multiplyHigh(long a, long b) {
            return java.lang.Math.multiplyHigh(a, b);
        }

        static long absExact(long a) {
            return java.lang.Math.absExact(a);
        }

        static String ceilDiv() {
            return "own Math";
        }
    }
}
