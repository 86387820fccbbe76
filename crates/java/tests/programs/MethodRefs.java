// Method references of every kind: static, bound, unbound, constructors, arrays, super, varargs, generic.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

public class MethodRefs {
    static class Base {
        String hi(String s) {
            return "base " + s;
        }
    }

    static class Derived extends Base {
        final int n;

        Derived() {
            this(7);
        }

        Derived(int n) {
            this.n = n;
        }

        private Derived(String s, Integer n) {
            this(s.length() + n);
        }

        @Override
        String hi(String s) {
            return "derived " + s;
        }

        Function<String, String> viaSuper() {
            return super::hi;
        }

        Function<String, String> viaThis() {
            return this::hi;
        }

        private int secret(int k) {
            return n * k;
        }
    }

    static String join(Object... parts) {
        return Arrays.toString(parts);
    }

    static <T> List<T> one(T t) {
        return List.of(t);
    }

    static int calls;

    static Derived make() {
        calls++;
        return new Derived(calls);
    }

    interface Three<A, B, C, R> {
        R apply(A a, B b, C c);
    }

    static long widen(long l) {
        return l * 2;
    }

    public static void main(String[] args) {
        Function<String, Integer> parse = Integer::parseInt;
        System.out.println(parse.apply("42") + 1);
        Supplier<Integer> bound = "hello"::length;
        System.out.println(bound.get());
        Function<String, Integer> unbound = String::length;
        System.out.println(unbound.apply("four"));
        BiFunction<String, String, Boolean> two = String::equalsIgnoreCase;
        System.out.println(two.apply("A", "a"));
        Supplier<Derived> none = Derived::new;
        Function<Integer, Derived> withInt = Derived::new;
        BiFunction<String, Integer, Derived> withTwo = Derived::new;
        System.out.println(none.get().n + " " + withInt.apply(3).n + " " + withTwo.apply("abc", 10).n);
        IntFunction<String[]> strings = String[]::new;
        Function<Integer, int[][]> grid = int[][]::new;
        System.out.println(strings.apply(4).length + " " + grid.apply(2).getClass().getSimpleName());
        Derived d = new Derived(5);
        System.out.println(d.viaSuper().apply("x") + " " + d.viaThis().apply("y"));
        Function<Integer, Integer> secret = d::secret;
        ToIntFunction<Derived> field = x -> x.n;
        System.out.println(secret.apply(4) + " " + field.applyAsInt(d));
        Three<Object, Object, Object, String> varargs = MethodRefs::join;
        System.out.println(varargs.apply(1, "b", 'c'));
        Function<String, List<String>> generic = MethodRefs::<String>one;
        System.out.println(generic.apply("e"));
        Function<Integer, Long> widening = MethodRefs::widen;
        System.out.println(widening.apply(21));
        Function<String, String> once = make()::hi;
        once.apply("a");
        once.apply("b");
        System.out.println(calls);
        try {
            String nothing = null;
            Supplier<Integer> bad = nothing::length;
            System.out.println("not reached " + bad);
        } catch (NullPointerException e) {
            System.out.println("null receiver");
        }
        List<String> words = new ArrayList<>(List.of("pear", "Apple", "fig"));
        words.sort(String::compareToIgnoreCase);
        words.replaceAll(String::toUpperCase);
        words.forEach(System.out::println);
        Supplier<List<String>> lists = ArrayList::new;
        System.out.println(lists.get().isEmpty());
        Function<Object[], Object> copy = Object[]::clone;
        System.out.println(((Object[]) copy.apply(new Integer[] {1, 2})).length);
        Runnable r = MethodRefs::make;
        r.run();
        System.out.println(calls);
    }
}
