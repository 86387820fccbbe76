// expect: holds
// outcomes: Misaligned access at index: 1
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
/** A volatile access at an odd index is refused. */
public class ViewVolatileOdd {
    static final byte[] v = new byte[8];
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    public static void main(String[] args) throws Exception {
        try {
            System.out.println((int) INTS.getVolatile(v, 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
