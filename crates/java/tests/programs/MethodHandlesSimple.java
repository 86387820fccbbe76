// Method handles: find, invoke, invokeExact, bind, insert, guard, collect.
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;
import java.util.Arrays;

public class MethodHandlesSimple {
    int field = 4;

    static int twice(int x) {
        return 2 * x;
    }

    String greet(String who) {
        return "hi " + who + field;
    }

    static boolean positive(int x) {
        return x > 0;
    }

    static int negate(int x) {
        return -x;
    }

    static int caught(RuntimeException e, String s) {
        return -s.length();
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle twice = l.findStatic(MethodHandlesSimple.class, "twice", MethodType.methodType(int.class, int.class));
        System.out.println((int) twice.invokeExact(21) + " " + twice.invoke((short) 4) + " " + twice.invokeWithArguments(5));
        MethodHandle length = l.findVirtual(String.class, "length", MethodType.methodType(int.class));
        System.out.println((int) length.invokeExact("four"));
        MethodHandle greet = l.findVirtual(MethodHandlesSimple.class, "greet", MethodType.methodType(String.class, String.class));
        MethodHandlesSimple o = new MethodHandlesSimple();
        System.out.println((String) greet.invokeExact(o, "you") + " " + (String) greet.bindTo(o).invokeExact("bound"));
        MethodHandle make = l.findConstructor(StringBuilder.class, MethodType.methodType(void.class, String.class));
        System.out.println(((StringBuilder) make.invokeExact("new")).append("!"));
        MethodHandle get = l.findGetter(MethodHandlesSimple.class, "field", int.class);
        MethodHandle set = l.findSetter(MethodHandlesSimple.class, "field", int.class);
        set.invokeExact(o, 40);
        System.out.println((int) get.invokeExact(o));
        MethodHandle max = l.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class));
        System.out.println((int) MethodHandles.insertArguments(max, 0, 10).invokeExact(3) + " " + max.type());
        MethodHandle parse = l.findStatic(Integer.class, "parseInt", MethodType.methodType(int.class, String.class));
        System.out.println((int) MethodHandles.filterReturnValue(parse, twice).invokeExact("8"));
        MethodHandle guarded = MethodHandles.guardWithTest(l.findStatic(MethodHandlesSimple.class, "positive", MethodType.methodType(boolean.class, int.class)), twice, l
            .findStatic(MethodHandlesSimple.class, "negate", MethodType.methodType(int.class, int.class)));
        System.out.println((int) guarded.invokeExact(3) + " " + (int) guarded.invokeExact(-3));
        MethodHandle safe = MethodHandles.catchException(parse, RuntimeException.class, l.findStatic(MethodHandlesSimple.class, "caught", MethodType.methodType(int.class,
            RuntimeException.class, String.class)));
        System.out.println((int) safe.invokeExact("abc") + " " + (int) safe.invokeExact("12"));
        MethodHandle asList = l.findStatic(Arrays.class, "asList", MethodType.methodType(java.util.List.class, Object[].class));
        System.out.println(asList.invoke(1, 2, 3) + " " + asList.asCollector(Object[].class, 2).invoke("a", "b"));
        try {
            Object wrong = twice.invokeExact(3);
            System.out.println(wrong);
        } catch (WrongMethodTypeException e) {
            System.out.println("wrong type");
        }
        try {
            l.findStatic(MethodHandlesSimple.class, "none", MethodType.methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println("no method");
        }
        System.out.println((int) MethodHandles.constant(int.class, 9).invokeExact() + " " + MethodHandles.identity(String.class).invoke("same"));
    }
}
