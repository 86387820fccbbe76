// expect: holds
// outcomes: 0 0|0 1|1 1
import java.nio.ByteBuffer;
/** A number at an odd index is written from the first byte to the last. */
public class BufferPutOdd {
    static final byte[] v = new byte[8];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            ByteBuffer.wrap(v).putInt(1, 0x01000001);
        });
        other.start();
        int last = v[4];
        int first = v[1];
        other.join();
        System.out.println(last + " " + first);
    }
}
