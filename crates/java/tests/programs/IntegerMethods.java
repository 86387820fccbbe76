// Static methods of Integer over edge values.
public class IntegerMethods {
    public static void main(String[] args) {
        int[] values = {0, 1, -1, 2, 10, -10, 255, 256, 0x0f0f0f0f, 0x12345678, 1000000007, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int v : values) {
            System.out.println(v + " bits " + Integer.bitCount(v) + " lead " + Integer.numberOfLeadingZeros(v) + " trail "
                + Integer.numberOfTrailingZeros(v) + " high " + Integer.highestOneBit(v) + " low " + Integer.lowestOneBit(v) + " reverse "
                + Integer.reverse(v) + " bytes " + Integer.reverseBytes(v) + " rot " + Integer.rotateLeft(v, 7) + " " + Integer.rotateRight(v, 35)
                + " sign " + Integer.signum(v) + " abs " + Math.abs(v));
            System.out.println("  " + Integer.toBinaryString(v) + " " + Integer.toOctalString(v) + " " + Integer.toHexString(v) + " "
                + Integer.toString(v, 36) + " " + Integer.toString(v, 7) + " " + Integer.toString(v, 99) + " " + Integer.toUnsignedString(v) + " "
                + Integer.toUnsignedLong(v) + " " + Integer.toUnsignedString(v, 16));
            System.out.println("  " + Integer.divideUnsigned(v, 10) + " " + Integer.remainderUnsigned(v, 10) + " " + Integer.hashCode(v) + " "
                + Integer.max(v, 5) + " " + Integer.min(v, 5) + " " + Integer.sum(v, v) + " " + Integer.compareUnsigned(v, 5));
        }
        Integer boxed = Integer.decode("-0x10");
        System.out.println(boxed + " " + Integer.decode("010") + " " + Integer.decode("#ff") + " " + Integer.decode("+7") + " "
            + boxed.doubleValue() + " " + boxed.byteValue() + " " + boxed.equals(-16) + " " + boxed.equals(-16L) + " " + boxed.compareTo(0));
        System.out.println(Integer.parseUnsignedInt("4294967295") + " " + Integer.parseInt("zz", 36) + " " + Integer.parseInt("-80000000", 16) + " "
            + Integer.parseInt("a12b", 1, 3, 10) + " " + Integer.valueOf("77") + " " + Integer.getInteger("no.such.property", 5));
        System.out.println(Integer.SIZE + " " + Integer.BYTES + " " + Integer.MAX_VALUE + " " + Integer.MIN_VALUE);
        System.out.println(Short.reverseBytes((short) 0x1234) + " " + Short.toUnsignedInt((short) -1) + " " + Byte.toUnsignedInt((byte) 200) + " "
            + Byte.compare((byte) 1, (byte) 2) + " " + Short.parseShort("-32768") + " " + Byte.hashCode((byte) -3));
    }
}
