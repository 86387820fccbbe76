// expect: holds
// outcomes: 0 0|1 0|1 1
import java.nio.ByteBuffer;
/** A number where one of its size begins is read at once. */
public class BufferAligned {
    static final byte[] v = new byte[8];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[4] = 1;
            v[7] = 1;
        });
        other.start();
        int n = ByteBuffer.wrap(v).getInt(4);
        other.join();
        System.out.println((n >>> 24) + " " + (n & 255));
    }
}
