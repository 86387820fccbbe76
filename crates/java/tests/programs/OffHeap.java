import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.zip.Inflater;
import sun.misc.Unsafe;

public class OffHeap {
    static Unsafe unsafe() throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        return (Unsafe) field.get(null);
    }

    static void addresses() throws Exception {
        Unsafe unsafe = unsafe();
        long block = unsafe.allocateMemory(64);
        unsafe.setMemory(block, 64, (byte) 0);
        unsafe.putInt(block, 0x01020304);
        unsafe.putLong(block + 8, -5L);
        unsafe.putDouble(block + 16, 2.5);
        unsafe.putByte(block + 24, (byte) -1);
        unsafe.putChar(block + 26, 'x');
        unsafe.putShort(block + 28, (short) -7);
        unsafe.putFloat(block + 32, 1.25f);
        System.out.println(unsafe.getByte(block) + " " + unsafe.getInt(block + 1) + " " + unsafe.getLong(block + 8)
                + " " + unsafe.getDouble(block + 16) + " " + unsafe.getShort(block + 24) + " " + unsafe.getChar(block + 26)
                + " " + unsafe.getShort(block + 28) + " " + unsafe.getFloat(block + 32));
        byte[] copy = new byte[16];
        unsafe.copyMemory(null, block, copy, Unsafe.ARRAY_BYTE_BASE_OFFSET, 16);
        System.out.println(Arrays.toString(copy));
        unsafe.copyMemory(copy, Unsafe.ARRAY_BYTE_BASE_OFFSET + 1, null, block + 40, 5);
        unsafe.copyMemory(block, block + 2, 10);
        System.out.println(Long.toHexString(unsafe.getLong(block)) + " " + Long.toHexString(unsafe.getLong(block + 40)));
        System.out.println(unsafe.compareAndSwapInt(null, block + 40, unsafe.getInt(block + 40), 9) + " "
                + unsafe.getAndAddInt(null, block + 40, 3) + " " + unsafe.getIntVolatile(null, block + 40));
        long larger = unsafe.reallocateMemory(block, 128);
        System.out.println(unsafe.getDouble(larger + 16));
        unsafe.freeMemory(larger);
        System.out.println(unsafe.allocateMemory(0));
    }

    static void buffers() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(32);
        System.out.println(buffer.isDirect() + " " + buffer + " " + buffer.order());
        buffer.putInt(7).putLong(8L).putDouble(0.5).put((byte) 3).put("text".getBytes());
        System.out.println(buffer.position() + " " + buffer.getInt(0) + " " + buffer.getLong(4) + " " + buffer.getDouble(12));
        buffer.flip();
        ByteBuffer slice = buffer.slice(20, 5);
        byte[] bytes = new byte[slice.remaining()];
        slice.get(bytes);
        System.out.println(slice + " " + Arrays.toString(bytes));
        ByteBuffer little = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        System.out.println(little.getInt(0) + " " + little.getShort(1));
        IntBuffer ints = buffer.asIntBuffer();
        ints.put(0, 99);
        System.out.println(ints.get(0) + " " + buffer.getInt(0) + " " + ints.isDirect() + " " + ints.limit());
        ByteBuffer readOnly = buffer.asReadOnlyBuffer();
        try {
            readOnly.put(0, (byte) 1);
        } catch (java.nio.ReadOnlyBufferException e) {
            System.out.println(e);
        }
        try {
            buffer.getInt(30);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getClass());
        }
        buffer.clear();
        buffer.put(ByteBuffer.wrap(new byte[] {1, 2, 3})).compact();
        ByteBuffer other = ByteBuffer.allocateDirect(32);
        other.put(buffer.duplicate().rewind());
        System.out.println(other.flip().equals(buffer.rewind()) + " " + other.hashCode() + " " + other.compareTo(buffer));
        ByteBuffer odd = ByteBuffer.allocateDirect(16);
        odd.position(1);
        odd.putLong(0x1122334455667788L).putChar('y');
        System.out.println(Long.toHexString(odd.getLong(1)) + " " + odd.getChar(9) + " " + odd.get(2));
    }

    static void inflaters() throws Exception {
        // "hello hello hello hello" by zlib.
        byte[] packed = {120, -100, -53, 72, -51, -55, -55, 87, -56, 64, 39, 1, 104, 3, 8, -79};
        Inflater inflater = new Inflater();
        for (int round = 0; round < 3; round++) {
            byte[] out = new byte[64];
            inflater.setInput(packed, 0, 7);
            int n = 0;
            try {
                n = inflater.inflate(out);
                inflater.setInput(packed, 7, packed.length - 7);
                n += inflater.inflate(out, n, out.length - n);
            } catch (java.util.zip.DataFormatException e) {
                System.out.println("bad data");
            }
            System.out.println(new String(out, 0, n) + " " + inflater.finished() + " " + inflater.getTotalIn());
            inflater.reset();
            System.out.println(inflater.finished() + " " + inflater.needsInput() + " " + inflater.getTotalOut());
        }
        inflater.end();
    }

    public static void main(String[] args) throws Exception {
        addresses();
        buffers();
        inflaters();
    }
}
