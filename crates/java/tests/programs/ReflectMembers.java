// Reflection: methods, fields, constructors, modifiers, sorted before printing.
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

public class ReflectMembers {
    interface Face {
        int size();

        default void grow() {}
    }

    abstract static class Base implements Face {
        protected int inherited;
        public static final String NAME = "base";

        abstract void open() throws java.io.IOException;

        public synchronized void lock() {}
    }

    static class Sample extends Base {
        private final int[] data = {1};
        volatile long counter;
        transient Object cache;
        public String text;

        Sample() {}

        private Sample(int a, String... rest) throws IllegalStateException {}

        public Sample(double d) {}

        @Override
        void open() {}

        @Override
        public int size() {
            return data.length;
        }

        private static String secret(int a, long[] b, String c) {
            return c;
        }

        final <T extends Comparable<T>> T pick(T a, T b) {
            return a;
        }
    }

    static void show(Object[] all) {
        String[] s = new String[all.length];
        for (int i = 0; i < all.length; i++) {
            s[i] = all[i].toString();
        }
        Arrays.sort(s);
        for (String t : s) {
            System.out.println("  " + t);
        }
    }

    public static void main(String[] args) throws Exception {
        for (Class<?> c : new Class<?>[] {Sample.class, Base.class, Face.class}) {
            System.out.println(c.getSimpleName());
            show(c.getDeclaredMethods());
            show(c.getDeclaredFields());
            show(c.getDeclaredConstructors());
        }
        System.out.println(Sample.class.getConstructors().length + " " + Sample.class.getFields().length);
        Method pick = Sample.class.getDeclaredMethod("pick", Comparable.class, Comparable.class);
        System.out.println(pick.toGenericString() + " " + pick.getParameterCount() + " " + pick.getReturnType() + " " + Modifier.toString(pick.getModifiers()));
        Method[] all = Sample.class.getMethods();
        System.out.println(Arrays.stream(all).filter(m -> m.getDeclaringClass() != Object.class).map(Method::getName).sorted(Comparator.naturalOrder()).toList());
        Field f = Sample.class.getDeclaredField("counter");
        System.out.println(f.getType() + " " + f.getName() + " " + Modifier.isVolatile(f.getModifiers()) + " " + f.getDeclaringClass().getSimpleName());
        Constructor<?> k = Sample.class.getDeclaredConstructor(int.class, String[].class);
        System.out.println(k.isVarArgs() + " " + Arrays.toString(k.getParameterTypes()) + " " + Arrays.toString(k.getExceptionTypes()));
        System.out.println(Base.class.getMethod("lock").equals(Sample.class.getMethod("lock")) + " " + Modifier.isAbstract(Base.class.getModifiers()));
        for (String name : new String[] {"none", "secret"}) {
            try {
                Sample.class.getMethod(name);
            } catch (NoSuchMethodException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            Sample.class.getField("data");
        } catch (NoSuchFieldException e) {
            System.out.println(e.getMessage());
        }
    }
}
