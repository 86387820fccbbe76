// expect: holds
// outcomes: 0 0 0 0|0 0 1 0|0 0 1 1|1 0 0 0|1 0 1 0|1 0 1 1|1 1 0 0|1 1 1 0|1 1 1 1
import java.nio.ByteBuffer;
/** A number at an even index that is not a multiple of its size is read in two halves. */
public class BufferHalves {
    static final byte[] v = new byte[8];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[2] = 1;
            v[3] = 1;
            v[4] = 1;
            v[5] = 1;
        });
        other.start();
        int n = ByteBuffer.wrap(v).getInt(2);
        other.join();
        System.out.println((n >>> 24) + " " + (n >>> 16 & 255) + " " + (n >>> 8 & 255) + " " + (n & 255));
    }
}
