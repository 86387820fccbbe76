// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
/** A handle that views bytes as numbers reads those at an odd index byte by byte. */
public class ViewOddIndex {
    static final byte[] v = new byte[8];
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[1] = 1;
            v[4] = 1;
        });
        other.start();
        int n = (int) INTS.get(v, 1);
        other.join();
        System.out.println((n >>> 24) + " " + (n & 255));
    }
}
