// Heap buffers: order, views, slices, marks, errors.
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;

public class ByteBuffers {
    public static void main(String[] args) {
        ByteBuffer b = ByteBuffer.allocate(40);
        b.put((byte) 1).putShort((short) 0x0203).putInt(0x04050607).putLong(0x08090a0b0c0d0e0fL).putChar('A').putFloat(1.5f).putDouble(-2.25);
        System.out.println(b + " " + Arrays.toString(b.array()));
        b.flip();
        System.out.println(b.get() + " " + b.getShort() + " " + b.getInt() + " " + b.getLong() + " " + b.getChar() + " " + b.getFloat() + " " + b.getDouble() + " "
            + b.remaining() + b.hasRemaining());
        b.clear().order(ByteOrder.LITTLE_ENDIAN).putInt(0x01020304).putLong(5L).putDouble(1.0);
        System.out.println(Arrays.toString(Arrays.copyOf(b.array(), 20)) + " " + b.getInt(0) + " " + b.getLong(4) + " " + b.order() + " " + b.position());
        b.position(4).mark().position(10).reset();
        System.out.println(b.position() + " " + b.limit() + " " + b.capacity());
        ByteBuffer slice = b.slice();
        slice.put(0, (byte) 99);
        System.out.println(b.get(4) + " " + slice.capacity() + " " + slice.order() + " " + b.duplicate().position() + " " + slice.arrayOffset());
        b.compact();
        System.out.println(b.position() + " " + b.get(0));
        IntBuffer ints = ByteBuffer.allocate(16).asIntBuffer();
        ints.put(7).put(new int[] {8, 9});
        System.out.println(ints.position() + " " + ints.get(1) + " " + ints.remaining());
        LongBuffer longs = LongBuffer.wrap(new long[] {1, 2, 3}, 1, 2);
        System.out.println(longs.get() + " " + longs);
        CharBuffer chars = CharBuffer.wrap("characters");
        System.out.println(chars.subSequence(2, 5) + " " + chars.length() + " " + chars.get(3) + " " + chars.isReadOnly());
        ByteBuffer w = ByteBuffer.wrap(new byte[] {1, 2, 3});
        System.out.println(w.equals(ByteBuffer.wrap(new byte[] {1, 2, 3})) + " " + w.compareTo(ByteBuffer.wrap(new byte[] {1, 2, 4})) + " " + w.hashCode() + " "
            + w.mismatch(ByteBuffer.wrap(new byte[] {1, 9})));
        for (int k = 0; k < 5; k++) {
            try {
                switch (k) {
                    case 0 -> ByteBuffer.allocate(3).putInt(1);
                    case 1 -> w.getLong();
                    case 2 -> w.asReadOnlyBuffer().put((byte) 1);
                    case 3 -> w.position(4);
                    default -> w.get(-1);
                }
            } catch (BufferOverflowException | BufferUnderflowException | ReadOnlyBufferException | IllegalArgumentException | IndexOutOfBoundsException e) {
                System.out.println(e.getClass().getName());
            }
        }
    }
}
