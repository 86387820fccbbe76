// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.nio.ByteBuffer;
/** A number at an odd index is read byte by byte. */
public class BufferOddIndex {
    static final byte[] v = new byte[8];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[1] = 1;
            v[4] = 1;
        });
        other.start();
        int n = ByteBuffer.wrap(v).getInt(1);
        other.join();
        System.out.println((n >>> 24) + " " + (n & 255));
    }
}
