// VarHandle on fields, statics and arrays, in all access modes.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

public class VarHandles {
    int number = 1;
    long wide = 2;
    volatile boolean flag;
    String text = "a";
    static int shared = 10;
    final int fixed = 3;

    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle number = lookup.findVarHandle(VarHandles.class, "number", int.class);
        VarHandle wide = lookup.findVarHandle(VarHandles.class, "wide", long.class);
        VarHandle flag = lookup.findVarHandle(VarHandles.class, "flag", boolean.class);
        VarHandle text = lookup.findVarHandle(VarHandles.class, "text", String.class);
        VarHandle shared = lookup.findStaticVarHandle(VarHandles.class, "shared", int.class);
        VarHandles o = new VarHandles();
        System.out.println((int) number.get(o) + " " + (int) number.getVolatile(o) + " " + (int) number.getAndAdd(o, 5) + " " + number.compareAndSet(o, 6, 60) + " "
            + number.compareAndSet(o, 6, 70) + " " + (int) number.getAndSet(o, 8) + " " + (int) number.compareAndExchange(o, 8, 9) + " " + (int) number.getAndBitwiseOr(o, 6)
            + " " + o.number);
        number.set(o, 20);
        number.setVolatile(o, (int) number.getAcquire(o) + 1);
        number.setRelease(o, (int) number.getOpaque(o) + 1);
        System.out.println(o.number + " " + (long) wide.getAndAdd(o, 1L << 40) + " " + o.wide + " " + flag.compareAndSet(o, false, true) + " " + o.flag);
        String old = (String) text.getAndSet(o, "b");
        System.out.println(old + " " + text.compareAndSet(o, "b", "c") + " " + (String) text.get(o) + " " + (int) shared.getAndAdd(1) + " " + shared);
        int[] ints = {1, 2, 3};
        VarHandle element = MethodHandles.arrayElementVarHandle(int[].class);
        element.set(ints, 0, 9);
        System.out.println((int) element.getAndAdd(ints, 1, 10) + " " + ints[0] + " " + ints[1] + " " + element.compareAndSet(ints, 2, 3, 4) + ints[2]);
        String[] strings = {"x"};
        VarHandle se = MethodHandles.arrayElementVarHandle(String[].class);
        System.out.println(se.compareAndSet(strings, 0, "x", "y") + strings[0]);
        VarHandle bytes = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        byte[] raw = {0, 0, 1, 2, 3};
        System.out.println((int) bytes.get(raw, 0) + " " + (int) bytes.get(raw, 1));
        try {
            element.get(ints, 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            number.get((VarHandles) null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        try {
            lookup.findVarHandle(VarHandles.class, "fixed", int.class).set(o, 5);
        } catch (UnsupportedOperationException e) {
            System.out.println("final");
        }
        try {
            lookup.findVarHandle(VarHandles.class, "none", int.class);
        } catch (NoSuchFieldException e) {
            System.out.println("no field");
        }
        VarHandle.fullFence();
        System.out.println(number.varType() + " " + number.coordinateTypes().size() + " " + number.weakCompareAndSetPlain(o, 0, 1));
    }
}
