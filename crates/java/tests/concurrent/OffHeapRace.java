// expect: holds
// outcomes: 0 0|0 1|1 1
import java.nio.ByteBuffer;

// A direct buffer is written from the front and read from the back.
public class OffHeapRace {
    public static void main(String[] args) throws Exception {
        ByteBuffer shared = ByteBuffer.allocateDirect(8);
        Thread writer = new Thread(() -> {
            shared.putInt(0, 1);
            shared.putInt(4, 1);
        });
        writer.start();
        int last = shared.getInt(4);
        System.out.println(last + " " + shared.getInt(0));
        writer.join();
    }
}
