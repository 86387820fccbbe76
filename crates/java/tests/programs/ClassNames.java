// Names, modifiers and relations of classes, arrays, primitives, nested and local classes.
import java.lang.reflect.Modifier;
import java.util.Map;

public class ClassNames {
    interface Face {}

    static class Nested<T> implements Face, Runnable {
        @Override
        public void run() {}

        class Inner {}
    }

    enum Kind { A { } }

    @interface Mark {}

    record Rec(int a) {}

    static void show(Class<?> c) {
        System.out.println(c.getName() + " | " + c.getSimpleName() + " | " + c.getTypeName() + " | " + c.getCanonicalName() + " | " + c + " | "
            + c.getPackageName() + " | " + Modifier.toString(c.getModifiers()) + " | " + (c.getSuperclass() == null ? "-" : c.getSuperclass()
                .getName()) + " | " + c.getInterfaces().length + (c.isInterface() ? " interface" : "") + (c.isArray() ? " array" : "")
            + (c.isPrimitive() ? " primitive" : "") + (c.isEnum() ? " enum" : "") + (c.isRecord() ? " record" : "")
            + (c.isAnnotation() ? " annotation" : "") + (c.isLocalClass() ? " local" : "") + (c.isMemberClass() ? " member" : "")
            + (c.isAnonymousClass() ? " anonymous" : "") + " " + c.descriptorString());
    }

    public static void main(String[] args) throws Exception {
        class Local {}
        Class<?>[] all = {ClassNames.class, Face.class, Nested.class, Nested.Inner.class, Kind.class, Kind.A.getClass(), Mark.class, Rec.class,
            Local.class, new Object() { }.getClass(), int.class, void.class, boolean.class, int[].class, long[][].class, String.class,
            String[].class, Nested[].class, Map.Entry.class, Object.class, Face[][].class, Integer.class, Thread.State.class};
        for (Class<?> c : all) {
            show(c);
        }
        System.out.println(Class.forName("java.lang.String") == String.class);
        System.out.println(Class.forName("[I") == int[].class);
        System.out.println(Class.forName("[Ljava.lang.String;") == String[].class);
        System.out.println(Class.forName("ClassNames$Nested$Inner") == Nested.Inner.class);
        System.out.println(int[].class.getComponentType() + " " + int[][].class.getComponentType() + " " + int.class.arrayType() + " "
            + String.class.getComponentType());
        System.out.println(Integer.TYPE == int.class);
        System.out.println(Number.class.isAssignableFrom(Integer.class) + " " + Integer.class.isAssignableFrom(Number.class) + " "
            + Object.class.isAssignableFrom(int.class) + " " + Object[].class.isAssignableFrom(String[].class) + " "
            + Face.class.isInstance(new Nested<String>()) + " " + Runnable.class.isInstance(null) + " " + long.class.isAssignableFrom(int.class));
        System.out.println(new Nested<String>().getClass() == Nested.class);
        System.out.println(ClassNames.class.getClassLoader() != null);
        System.out.println(String.class.getClassLoader() == null);
        System.out.println(String.class.getModule().getName() + " " + ClassNames.class.getModule().isNamed());
        for (String bad : new String[] {"int", "String", "[X", "java.lang.string", ""}) {
            try {
                System.out.println(Class.forName(bad));
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
