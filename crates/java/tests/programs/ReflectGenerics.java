// Generic signatures read at run time.
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

public class ReflectGenerics {
    static class Base<T, U extends Comparable<? super U> & Runnable> {
        List<Map<String, ? extends T>> field;
        T[] array;
        List<String>[][] lists;

        <X extends Exception> Function<? super T, X> method(List<? super Integer> in, U... rest) throws X {
            return null;
        }
    }

    static class Derived extends Base<String, Derived> implements Comparable<Derived>, Runnable {
        @Override
        public int compareTo(Derived o) {
            return 0;
        }

        @Override
        public void run() {}
    }

    public static void main(String[] args) throws Exception {
        System.out.println(Derived.class.getGenericSuperclass() + " " + Arrays.toString(Derived.class.getGenericInterfaces()));
        for (TypeVariable<?> v : Base.class.getTypeParameters()) {
            System.out.println(v + " " + Arrays.toString(v.getBounds()));
        }
        for (String f : new String[] {"field", "array", "lists"}) {
            Type t = Base.class.getDeclaredField(f).getGenericType();
            System.out.println(t + " " + t.getClass().getSimpleName().isEmpty());
        }
        Method m = Arrays.stream(Base.class.getDeclaredMethods()).filter(x -> x.getName().equals("method")).findFirst().get();
        System.out.println(m.toGenericString());
        System.out.println(m.getGenericReturnType() + " " + Arrays.toString(m.getGenericParameterTypes()) + " " + Arrays.toString(m.getGenericExceptionTypes()));
        ParameterizedType p = (ParameterizedType) Base.class.getDeclaredField("field").getGenericType();
        System.out.println(p.getRawType() + " " + p.getActualTypeArguments()[0] + " " + p.getOwnerType());
        System.out.println(Base.class.toGenericString());
    }
}
