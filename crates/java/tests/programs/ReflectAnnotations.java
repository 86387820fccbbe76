// Annotations read at run time: defaults, arrays, enums, nested, inherited, repeated, on all elements.
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

public class ReflectAnnotations {
    enum Level { LOW, HIGH }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface Info {
        String value() default "none";

        int number() default 7;

        Level level() default Level.LOW;

        Class<?> type() default Object.class;

        String[] tags() default {};

        Part part() default @Part(size = 3);
    }

    @interface Part {
        int size();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Rules.class)
    @interface Rule {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Rules {
        Rule[] value();
    }

    @Retention(RetentionPolicy.CLASS)
    @interface Unseen {}

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.PARAMETER)
    @interface Arg {
        long value();
    }

    @Info(value = "base", tags = {"a", "b"}, level = Level.HIGH, type = String.class)
    @Unseen
    static class Base {
        @Info(number = 1 + 2)
        int field;

        @Rule("first")
        @Rule("second")
        @Deprecated
        public void method(@Arg(5L) int a, String b) {}

        @Info
        void other() {}
    }

    static class Derived extends Base {}

    public static void main(String[] args) throws Exception {
        Info i = Base.class.getAnnotation(Info.class);
        System.out.println(i.value() + " " + i.number() + " " + i.level() + " " + i.type().getSimpleName() + " " + Arrays.toString(i.tags()) + " " + i.part().size());
        System.out.println(Base.class.getAnnotations().length + " " + Derived.class.getAnnotations().length + " " + Derived.class.getDeclaredAnnotations().length + " "
            + Base.class.isAnnotationPresent(Unseen.class));
        System.out.println(Base.class.getDeclaredField("field").getAnnotation(Info.class).number());
        Method m = Base.class.getMethod("method", int.class, String.class);
        System.out.println(m.getAnnotationsByType(Rule.class).length + " " + m.getAnnotation(Rules.class).value()[1].value() + " " + m.isAnnotationPresent(Deprecated.class));
        System.out.println(((Arg) m.getParameterAnnotations()[0][0]).value() + " " + m.getParameterAnnotations()[1].length);
        System.out.println(i.annotationType().getSimpleName() + " " + i.equals(Derived.class.getAnnotation(Info.class)) + " " + (i.hashCode() == Derived.class.getAnnotation(
            Info.class).hashCode()));
        System.out.println(Arrays.stream(Base.class.getDeclaredMethods()).sorted(Comparator.comparing(Method::getName)).map(x -> x.getName() + x.getAnnotations().length)
            .toList());
        System.out.println(Info.class.getMethod("number").getDefaultValue() + " " + Part.class.isAnnotation());
    }
}
