// What reflection may not touch: members of java.base that are not open, private members without setAccessible.
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

public class Encapsulation {
    static class Secret {
        private int value = 7;
        private final String text = "final";
        int visible = 1;

        private Secret() {}

        private int twice() {
            return 2 * value;
        }
    }

    interface Attempt {
        Object run() throws Exception;
    }

    static void show(String what, Attempt attempt) {
        try {
            System.out.println(what + ": " + attempt.run());
        } catch (Throwable t) {
            System.out.println(what + ": " + t.toString().replaceAll("@.*", "@"));
        }
    }

    public static void main(String[] args) throws Exception {
        Field value = String.class.getDeclaredField("value");
        show("open String.value", () -> {
            value.setAccessible(true);
            return "open";
        });
        show("try String.value", () -> value.trySetAccessible());
        show("get String.value", () -> value.get("x"));
        show("can String.value", () -> value.canAccess("x"));
        show("open ArrayList.elementData", () -> {
            Field field = ArrayList.class.getDeclaredField("elementData");
            field.setAccessible(true);
            return field.get(new ArrayList<>());
        });
        show("open private method", () -> {
            Method method = ClassLoader.class.getDeclaredMethod("findClass", String.class);
            method.setAccessible(true);
            return "open";
        });
        show("open internal class", () -> {
            Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
            Method method = unsafe.getMethod("getUnsafe");
            return method.invoke(null) != null;
        });
        show("open all", () -> {
            AccessibleObject.setAccessible(ArrayList.class.getDeclaredFields(), true);
            return "open";
        });
        show("public method of a private class", () -> {
            List<Integer> list = List.of(1, 2);
            return list.getClass().getMethod("size").invoke(list);
        });
        show("public method of an interface", () -> List.class.getMethod("size").invoke(List.of(1, 2)));
        show("opened public member", () -> {
            Method size = ArrayList.class.getMethod("size");
            size.setAccessible(true);
            return size.invoke(new ArrayList<>());
        });
        Secret secret = new Secret();
        show("nest mate", () -> Secret.class.getDeclaredField("value").get(secret));
        show("stranger", () -> Stranger.read(secret, "value"));
        show("stranger visible", () -> Stranger.read(secret, "visible"));
        show("stranger opens", () -> Stranger.open(secret, "value"));
        show("stranger opens final", () -> Stranger.open(secret, "text"));
        show("stranger calls", () -> Stranger.call(secret));
        show("stranger makes", () -> Stranger.make());
        show("static final", () -> {
            Field field = Constants.class.getDeclaredField("LIMIT");
            field.setAccessible(true);
            field.set(null, 3);
            return field.get(null);
        });
        show("module", () -> String.class.getModule() + " " + Encapsulation.class.getModule().isNamed() + " "
            + String.class.getModule().isExported("java.util") + " " + String.class.getModule().isExported("jdk.internal.misc")
            + " " + String.class.getModule().isOpen("java.util"));
    }

    static class Constants {
        static final Integer LIMIT = Integer.valueOf("2");
    }
}

class Stranger {
    static Object read(Object o, String name) throws Exception {
        return o.getClass().getDeclaredField(name).get(o);
    }

    static Object open(Object o, String name) throws Exception {
        java.lang.reflect.Field field = o.getClass().getDeclaredField(name);
        field.setAccessible(true);
        Object before = field.get(o);
        if (field.getType() == int.class) {
            field.setInt(o, 8);
        } else {
            field.set(o, "changed");
        }
        return before + " " + field.get(o);
    }

    static Object call(Object o) throws Exception {
        return o.getClass().getDeclaredMethod("twice").invoke(o);
    }

    static Object make() throws Exception {
        java.lang.reflect.Constructor<?> constructor = Encapsulation.Secret.class.getDeclaredConstructor();
        return constructor.newInstance();
    }
}
