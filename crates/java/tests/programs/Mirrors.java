// Reflection as frameworks use it: annotations at run time, proxies, services, stack walks, injection, generic types.
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;

public class Mirrors {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.FIELD, ElementType.PARAMETER})
    @Inherited
    @interface Check {
        String value() default "none";

        int[] levels() default {1, 2};

        Class<?> type() default Object.class;

        Kind kind() default Kind.SOFT;
    }

    enum Kind { SOFT, HARD }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Tags.class)
    @interface Tag {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Tags {
        Tag[] value();
    }

    @Check("base")
    static class Base {}

    @Tag("x")
    @Tag("y")
    static class Suite extends Base {
        @Check
        private String injected;

        public static int calls;

        @Check(value = "first", levels = {}, kind = Kind.HARD)
        public void first() {
            calls++;
        }

        @Check(type = String.class)
        public void second() {
            throw new IllegalStateException("second " + injected);
        }

        public List<Map<String, ? extends Number>> generic(@Check("p") int[] a, String... rest) {
            return null;
        }
    }

    interface Greeter {
        String greet(String name);

        default String twice(String name) {
            return greet(name) + greet(name);
        }
    }

    record Point(int x, @Check("y") double y) {}

    public static void main(String[] args) throws Exception {
        System.out.println(Suite.class.getAnnotation(Check.class).value() + " " + Suite.class.getDeclaredAnnotations().length + " "
            + Arrays.stream(Suite.class.getAnnotationsByType(Tag.class)).map(Tag::value).collect(Collectors.joining("+")));
        Suite suite = Suite.class.getDeclaredConstructor().newInstance();
        Field field = Suite.class.getDeclaredField("injected");
        field.setAccessible(true);
        field.set(suite, "by force");
        Method[] methods = Suite.class.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method method : methods) {
            Check check = method.getAnnotation(Check.class);
            System.out.println(method + " " + Modifier.toString(method.getModifiers()) + " " + method.isVarArgs());
            if (check == null) {
                System.out.println(method.toGenericString() + " " + ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0]);
                continue;
            }
            System.out.println(check.value() + Arrays.toString(check.levels()) + check.type().getSimpleName() + check.kind() + " " + check.annotationType());
            try {
                method.invoke(suite);
            } catch (InvocationTargetException e) {
                System.out.println(e.getCause());
            }
        }
        System.out.println(Suite.calls);
        List<String> log = new ArrayList<>();
        Greeter greeter = (Greeter) Proxy.newProxyInstance(Mirrors.class.getClassLoader(), new Class<?>[] {Greeter.class}, (proxy, method, values) -> {
            log.add(method.getName() + (values == null ? "" : Arrays.toString(values)));
            return switch (method.getName()) {
                case "greet" -> "hi " + values[0];
                case "toString" -> "proxy";
                case "hashCode" -> 5;
                case "equals" -> proxy == values[0];
                default -> throw new Exception("checked");
            };
        });
        System.out.println(greeter.greet("ann") + " " + greeter + " " + greeter.hashCode() + " " + greeter.equals(greeter) + " " + Proxy.isProxyClass(greeter.getClass()));
        try {
            greeter.twice("x");
        } catch (RuntimeException e) {
            System.out.println(e + " " + e.getCause());
        }
        System.out.println(log);
        for (RecordComponent part : Point.class.getRecordComponents()) {
            System.out.println(part + " " + part.getAccessor().invoke(new Point(1, 2.5)) + " " + part.getAccessor().isAnnotationPresent(Check.class));
        }
        Constructor<?> canonical = Point.class.getDeclaredConstructors()[0];
        System.out.println(canonical.getParameters()[1] + " " + canonical.newInstance(3, 4f) + " " + Arrays.toString(canonical.getParameterTypes()));
        try {
            canonical.newInstance("a", 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Suite.class.getMethod("none", int.class);
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(ServiceLoader.load(Greeter.class).findFirst().isPresent());
        Function<Integer, List<String>> walk = n -> StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
            .walk(frames -> frames.limit(n).map(f -> f.getDeclaringClass().getSimpleName() + "." + f.getMethodName() + ":" + f.getLineNumber()).toList());
        System.out.println(walk.apply(2) + " " + StackWalker.getInstance().walk(s -> s.count()));
        System.out.println(int[].class.getName() + " " + String[][].class.getSimpleName() + " " + Map.Entry.class.getTypeName() + " " + void.class + " " + new Object() {}.getClass().getName() + " " + Kind.HARD.getClass().isEnum()
            + " " + Class.forName("[Ljava.lang.String;").getComponentType() + " " + Integer.class.isInstance(1) + " " + Number.class.isAssignableFrom(Integer.class) + " " + Point.class.isRecord() + " " + List.class.getPackageName());
    }
}
