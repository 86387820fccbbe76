// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.nio.ByteBuffer;

/** The elements of a view of a buffer are read one by one. */
public class BufferOfInts {
    static final byte[] v = new byte[8];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[3] = 1;
            v[7] = 1;
        });
        other.start();
        int[] copy = new int[2];
        ByteBuffer.wrap(v).asIntBuffer().get(copy);
        other.join();
        System.out.println(copy[0] + " " + copy[1]);
    }
}
