// Lambdas that capture nothing, locals of every type, parameters, this, and other lambdas.
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

public class LambdaCapture {
    private int field = 1;

    Supplier<String> ofThis() {
        return () -> "field " + field++;
    }

    static Supplier<String> ofAll(boolean z, byte b, short s, char c, int i, long l, float f, double d, String t, int[] a) {
        return () -> z + " " + b + " " + s + " " + c + " " + i + " " + l + " " + f + " " + d + " " + t + " " + a[0]++;
    }

    class Inner {
        int own = 10;

        IntSupplier both(int add) {
            return () -> own++ + field + add;
        }
    }

    static Function<Integer, Function<Integer, Function<Integer, Integer>>> curried() {
        return a -> b -> c -> a * 100 + b * 10 + c;
    }

    static IntSupplier counter() {
        int[] n = {0};
        return () -> ++n[0];
    }

    public static void main(String[] args) throws Exception {
        LambdaCapture o = new LambdaCapture();
        Supplier<String> s = o.ofThis();
        System.out.println(s.get() + " " + s.get() + " " + o.ofThis().get());
        Supplier<String> all = ofAll(true, (byte) -1, (short) 2, 'c', 4, 5_000_000_000L, 6.5f, 7.25, "t", new int[] {8});
        System.out.println(all.get());
        System.out.println(all.get());
        IntSupplier both = o.new Inner().both(1000);
        System.out.println(both.getAsInt() + " " + both.getAsInt());
        System.out.println(curried().apply(1).apply(2).apply(3));
        IntSupplier c1 = counter();
        IntSupplier c2 = counter();
        System.out.println(c1.getAsInt() + " " + c1.getAsInt() + " " + c2.getAsInt());
        List<Supplier<Integer>> list = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int square = i * i;
            list.add(() -> square);
        }
        for (String w : new String[] {"x", "yy"}) {
            list.add(() -> w.length());
        }
        int sum = 0;
        for (Supplier<Integer> x : list) {
            sum = sum * 10 + x.get();
        }
        System.out.println(sum);
        Runnable nested = () -> {
            int local = 5;
            Runnable inner = () -> System.out.println("nested " + local + " " + args.length);
            inner.run();
        };
        nested.run();
        Supplier<Supplier<String>> twice = () -> () -> "twice";
        System.out.println(twice.get().get());
        Function<Object, String> f = Object::toString;
        System.out.println(f.andThen(String::length).compose((Integer x) -> x * 1000).apply(7));
        java.util.concurrent.Callable<String> call = () -> {
            if (args.length > 0) {
                throw new Exception("never");
            }
            return "called";
        };
        System.out.println(call.call());
        Object lambda = (Runnable & Comparable<String>) null;
        System.out.println(lambda);
        try {
            Runnable bad = () -> {
                throw new IllegalStateException("from lambda");
            };
            bad.run();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
