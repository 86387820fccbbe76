// expect: holds
// outcomes: 0 0|0 1|1 1
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
/** A handle that views bytes as numbers writes those at an odd index from the first byte on. */
public class ViewPutOdd {
    static final byte[] v = new byte[8];
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            LONGS.set(v, 0, 0L);
            INTS.set(v, 3, 0x01000001);
        });
        other.start();
        int last = v[6];
        int first = v[3];
        other.join();
        System.out.println(last + " " + first);
    }
}
