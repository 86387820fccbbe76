// expect: holds
// outcomes: 2
// Two threads add to a field by a VarHandle.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleOfField {
    static final VarHandle COUNT;
    int count;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(HandleOfField.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        HandleOfField shared = new HandleOfField();
        Thread a = new Thread(() -> COUNT.getAndAdd(shared, 1));
        a.start();
        COUNT.getAndAdd(shared, 1);
        a.join();
        System.out.println((int) COUNT.getVolatile(shared));
    }
}
