// What method handles say of calls of the wrong type.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

public class HandleTypes {
    int field = 1;
    static long total;

    static int add(int a, int b) {
        return a + b;
    }

    interface Attempt {
        Object run() throws Throwable;
    }

    static void show(Attempt attempt) {
        try {
            System.out.println(attempt.run());
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle add = lookup.findStatic(HandleTypes.class, "add", MethodType.methodType(int.class, int.class, int.class));
        show(() -> (int) add.invokeExact(1, 2));
        show(() -> (Integer) add.invokeExact(1, 2));
        show(() -> {
            add.invokeExact(1, 2);
            return "dropped";
        });
        show(() -> (int) add.invokeExact(1L, 2));
        show(() -> (int) add.invoke("a", 2));
        show(() -> (int) add.invoke(1));
        show(() -> (int) add.invoke(1, 2, 3));
        show(() -> (long) add.invoke((short) 1, (byte) 2));
        show(() -> (String) add.invoke(1, 2));
        show(() -> add.invokeWithArguments(1, "x"));
        show(() -> add.invokeWithArguments(1));
        show(() -> add.asType(MethodType.methodType(String.class, int.class, int.class)));
        show(() -> add.asType(MethodType.methodType(int.class, int.class)));
        show(() -> add.bindTo("a"));
        VarHandle field = lookup.findVarHandle(HandleTypes.class, "field", int.class);
        HandleTypes object = new HandleTypes();
        show(() -> (int) field.get(object));
        show(() -> (String) field.get(object));
        show(() -> {
            field.set(object, "text");
            return "set";
        });
        show(() -> (int) field.get("other"));
        show(() -> (int) field.get());
        VarHandle elements = MethodHandles.arrayElementVarHandle(int[].class);
        show(() -> (int) elements.get(new int[2], 5));
        show(() -> (int) elements.get(new long[2], 0));
        VarHandle constant = lookup.findStaticVarHandle(HandleTypes.class, "total", long.class);
        show(() -> (long) constant.getAndAdd(2L) + " " + total);
        show(() -> lookup.findStatic(HandleTypes.class, "none", MethodType.methodType(void.class)));
        show(() -> lookup.findVirtual(HandleTypes.class, "add", MethodType.methodType(int.class, int.class, int.class)));
        show(() -> add.type() + " " + add + " " + MethodType.fromMethodDescriptorString("(I[JLjava/lang/String;)V", null));
    }
}
