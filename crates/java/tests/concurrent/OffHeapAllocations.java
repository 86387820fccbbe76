// expect: holds
// outcomes: 3 4
import java.nio.ByteBuffer;

// Two threads allocate: which one does so first makes no difference.
public class OffHeapAllocations {
    static volatile ByteBuffer one;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            ByteBuffer own = ByteBuffer.allocateDirect(4);
            own.putInt(0, 3);
            one = own;
        });
        other.start();
        ByteBuffer own = ByteBuffer.allocateDirect(4);
        own.putInt(0, 4);
        other.join();
        System.out.println(one.getInt(0) + " " + own.getInt(0));
    }
}
