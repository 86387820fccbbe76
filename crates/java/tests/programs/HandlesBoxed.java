import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Calls of VarHandles for references with arguments that are boxed. */
public class HandlesBoxed {
    Object field;
    static Number shared = 1L;
    Integer exact = 5;

    public static void main(String[] args) throws Exception {
        Object[] array = new Object[2];
        VarHandle elements = MethodHandles.arrayElementVarHandle(Object[].class);
        elements.setVolatile(array, 0, 1);
        elements.set(array, 1, 'c');
        System.out.println(array[0] + " " + array[1] + " " + array[0].getClass());
        System.out.println(elements.compareAndSet(array, 0, 1, 2L) + " " + array[0]);
        System.out.println(elements.compareAndSet(array, 0, 1000, 3) + " " + array[0]);
        System.out.println((Object) elements.getAndSet(array, 1, 2.5) + " " + array[1]);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        HandlesBoxed object = new HandlesBoxed();
        VarHandle field = lookup.findVarHandle(HandlesBoxed.class, "field", Object.class);
        field.set(object, true);
        System.out.println(object.field + " " + (Object) field.compareAndExchange(object, true, (byte) 7) + " " + object.field);
        VarHandle number = lookup.findStaticVarHandle(HandlesBoxed.class, "shared", Number.class);
        number.setRelease(4.5f);
        System.out.println(shared + " " + (Object) number.getAndSet(3));
        VarHandle exact = lookup.findVarHandle(HandlesBoxed.class, "exact", Integer.class);
        System.out.println(exact.weakCompareAndSet(object, 5, 6) + " " + object.exact + " " + (int) exact.get(object));
        try {
            exact.set(object, 5L);
        } catch (RuntimeException e) {
            System.out.println(e);
        }
        try {
            elements.setVolatile(new String[1], 0, 1);
        } catch (ArrayStoreException | ClassCastException e) {
            System.out.println(e);
        }
    }
}
