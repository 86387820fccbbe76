// Recursive and higher-order lambdas: fixed points, memo, composition, continuation passing.
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class LambdaRecursive {
    static IntUnaryOperator factorial = n -> n < 2 ? 1 : n * LambdaRecursive.factorial.applyAsInt(n - 1);

    interface Self<T> {
        T apply(Self<T> self);
    }

    static <A, B> Function<A, B> fix(Function<Function<A, B>, Function<A, B>> f) {
        Self<Function<A, B>> s = self -> f.apply(x -> self.apply(self).apply(x));
        return s.apply(s);
    }

    static <A, B> Function<A, B> memo(Function<A, B> f, Map<A, B> seen) {
        return a -> {
            B b = seen.get(a);
            if (b == null) {
                b = f.apply(a);
                seen.put(a, b);
            }
            return b;
        };
    }

    static <T> Function<T, T> times(int n, Function<T, T> f) {
        return n == 0 ? Function.identity() : f.andThen(times(n - 1, f));
    }

    interface Trampoline<T> {
        T get();

        default Trampoline<T> next() {
            return null;
        }

        static <T> T run(Trampoline<T> t) {
            while (t.next() != null) {
                t = t.next();
            }
            return t.get();
        }
    }

    static Trampoline<Long> sum(long n, long acc) {
        if (n == 0) {
            return () -> acc;
        }
        return new Trampoline<>() {
            @Override
            public Long get() {
                throw new IllegalStateException();
            }

            @Override
            public Trampoline<Long> next() {
                return sum(n - 1, acc + n);
            }
        };
    }

    static void cps(int n, java.util.function.Consumer<Integer> k) {
        if (n == 0) {
            k.accept(0);
        } else {
            cps(n - 1, r -> k.accept(r + n));
        }
    }

    public static void main(String[] args) {
        System.out.println(factorial.applyAsInt(10));
        System.out.println(LambdaRecursive.<Integer, Integer>fix(self -> n -> n < 2 ? n : self.apply(n - 1) + self.apply(n - 2)).apply(12));
        Map<Integer, Long> seen = new HashMap<>();
        Function<Integer, Long>[] holder = new Function[1];
        holder[0] = memo(n -> n < 2 ? (long) n : holder[0].apply(n - 1) + holder[0].apply(n - 2), seen);
        System.out.println(holder[0].apply(60) + " " + seen.size());
        System.out.println(times(10, (Integer x) -> x * 2).apply(1));
        System.out.println(Trampoline.run(sum(200, 0)));
        cps(50, r -> System.out.println(r));
        BiFunction<Integer, Integer, Integer> gcd = new BiFunction<>() {
            @Override
            public Integer apply(Integer a, Integer b) {
                return b == 0 ? a : this.apply(b, a % b);
            }
        };
        System.out.println(gcd.andThen(x -> "gcd " + x).apply(48, 36));
        Supplier<Supplier<Supplier<Integer>>> deep = () -> () -> () -> 3;
        System.out.println(deep.get().get().get());
    }
}
