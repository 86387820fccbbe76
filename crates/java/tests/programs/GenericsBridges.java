// Generic classes, bounded types, bridge methods, wildcards, erasure.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

public class GenericsBridges {
    interface Source<T> {
        T take();
    }

    abstract static class Box<T extends Comparable<T>> implements Source<T>, Comparable<Box<T>> {
        protected T value;

        void set(T value) {
            this.value = value;
        }

        @Override
        public int compareTo(Box<T> o) {
            return value.compareTo(o.value);
        }
    }

    static class IntBox extends Box<Integer> {
        @Override
        public Integer take() {
            return value;
        }

        @Override
        void set(Integer value) {
            super.set(value + 1);
        }
    }

    static class Pair<A, B> {
        final A a;
        final B b;

        Pair(A a, B b) {
            this.a = a;
            this.b = b;
        }

        <C> Pair<A, C> second(Function<? super B, ? extends C> f) {
            return new Pair<>(a, f.apply(b));
        }

        Pair<B, A> swap() {
            return new Pair<>(b, a);
        }

        @Override
        public String toString() {
            return "<" + a + "," + b + ">";
        }
    }

    static <T extends Comparable<? super T>> T max(Iterable<? extends T> all) {
        T best = null;
        for (T t : all) {
            if (best == null || t.compareTo(best) > 0) {
                best = t;
            }
        }
        return best;
    }

    static double sum(List<? extends Number> l) {
        double s = 0;
        for (Number n : l) {
            s += n.doubleValue();
        }
        return s;
    }

    static void fill(List<? super Integer> l) {
        for (int i = 0; i < 3; i++) {
            l.add(i);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        IntBox x = new IntBox();
        IntBox y = new IntBox();
        x.set(5);
        Box<Integer> generic = y;
        generic.set(9);
        System.out.println(x.take() + " " + generic.take() + " " + x.compareTo(y));
        Box raw = x;
        try {
            raw.set("text");
        } catch (ClassCastException e) {
            System.out.println("bridge refuses");
        }
        try {
            ((Comparable) x).compareTo("text");
        } catch (ClassCastException e) {
            System.out.println("comparison refuses");
        }
        System.out.println(max(Arrays.asList(3, 9, 2)) + " " + max(List.of("pear", "zoo", "apple")) + " " + max(new ArrayList<String>()));
        Pair<String, Integer> p = new Pair<>("one", 1);
        System.out.println(p + " " + p.swap() + " " + p.second(n -> n + 0.5) + " " + p.second(Integer::toBinaryString).swap());
        List<Number> numbers = new ArrayList<>();
        fill(numbers);
        numbers.add(2.5);
        System.out.println(sum(numbers) + " " + numbers);
        Pair<Pair<Integer, List<String>>, Pair<?, ? extends Number>> nested =
            new Pair<>(new Pair<>(1, List.of("deep")), new Pair<>("any", 2L));
        System.out.println(nested.a.b.get(0).length() + " " + nested.b.b.intValue() + " " + nested);
        System.out.println(new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass());
        System.out.println(Arrays.stream(IntBox.class.getDeclaredMethods())
            .map(m -> m.getReturnType().getSimpleName() + " " + m.getName() + (m.isBridge() ? " bridge" : "")).sorted().toList());
    }
}
