// expect: holds
// outcomes: 0 0|0 1|1 1
import java.nio.ByteBuffer;
/** A number at an odd index is read from the first byte to the last. */
public class BufferOddIndexDown {
    static final byte[] v = new byte[8];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[4] = 1;
            v[1] = 1;
        });
        other.start();
        int n = ByteBuffer.wrap(v).getInt(1);
        other.join();
        System.out.println((n >>> 24) + " " + (n & 255));
    }
}
