// expect: holds
// outcomes: 0 0|0 1|1 1
import java.nio.ByteBuffer;

// A number at an odd place is written in parts, from the first to the last; its first and last byte are read, the last one first.
public class OffHeapParts {
    public static void main(String[] args) throws Exception {
        ByteBuffer shared = ByteBuffer.allocateDirect(8);
        Thread writer = new Thread(() -> shared.putInt(1, 0x01010101));
        writer.start();
        int last = shared.get(4);
        System.out.println(last + " " + shared.get(1));
        writer.join();
    }
}
