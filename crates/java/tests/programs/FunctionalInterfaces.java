// All interfaces of java.util.function, and their combinators.
import java.util.function.*;

public class FunctionalInterfaces {
    static int side;

    public static void main(String[] args) {
        BiConsumer<String, Integer> biConsumer = (a, b) -> side += a.length() * b;
        biConsumer.andThen((a, b) -> side *= 2).accept("abc", 5);
        BiFunction<Integer, Integer, Integer> biFunction = (a, b) -> a - b;
        BinaryOperator<Integer> max = BinaryOperator.maxBy((a, b) -> a - b);
        BiPredicate<String, Integer> biPredicate = (a, b) -> a.length() == b;
        BooleanSupplier bool = () -> side > 10;
        Consumer<String> consumer = s -> side += s.length();
        consumer.andThen(s -> side -= 1).accept("four");
        System.out.println(side + " " + biFunction.andThen(x -> x * 10).apply(5, 3) + " " + max.apply(3, 9) + " "
            + biPredicate.negate().or((a, b) -> b > 3).test("abc", 3) + " " + bool.getAsBoolean());
        DoubleBinaryOperator dbo = (a, b) -> a / b;
        DoubleConsumer dc = d -> side = (int) d;
        DoubleFunction<String> df = d -> "d" + d;
        DoublePredicate dp = d -> d > 0;
        DoubleSupplier ds = () -> 0.25;
        DoubleToIntFunction dti = d -> (int) d;
        DoubleToLongFunction dtl = d -> (long) d;
        DoubleUnaryOperator duo = Math::sqrt;
        dc.andThen(d -> side++).accept(41.9);
        System.out.println(dbo.applyAsDouble(1, 4) + " " + side + " " + df.apply(1.5) + " " + dp.and(d -> d < 1).test(0.5) + " " + ds.getAsDouble()
            + " " + dti.applyAsInt(-3.9) + " " + dtl.applyAsLong(1e12) + " " + duo.andThen(d -> d + 1).compose(d -> d * d).applyAsDouble(3));
        Function<String, Integer> function = Integer::valueOf;
        IntBinaryOperator ibo = Math::max;
        IntConsumer ic = i -> side = i;
        IntFunction<int[]> inf = int[]::new;
        IntPredicate ip = i -> i % 2 == 0;
        IntSupplier is = () -> 77;
        IntToDoubleFunction itd = i -> i / 2.0;
        IntToLongFunction itl = i -> (long) i << 32;
        IntUnaryOperator iuo = i -> -i;
        ic.accept(5);
        System.out.println(function.apply("12") + " " + ibo.applyAsInt(3, 4) + " " + side + " " + inf.apply(3).length + " " + ip.negate().test(4)
            + " " + is.getAsInt() + " " + itd.applyAsDouble(5) + " " + itl.applyAsLong(1) + " " + iuo.andThen(i -> i * 2).applyAsInt(4));
        LongBinaryOperator lbo = (a, b) -> a * b;
        LongConsumer lc = l -> side = (int) (l >> 32);
        LongFunction<String> lf = Long::toHexString;
        LongPredicate lp = l -> l < 0;
        LongSupplier ls = () -> Long.MAX_VALUE;
        LongToDoubleFunction ltd = l -> l;
        LongToIntFunction lti = l -> (int) l;
        LongUnaryOperator luo = l -> ~l;
        lc.accept(9L << 32);
        System.out.println(lbo.applyAsLong(1L << 20, 1L << 20) + " " + side + " " + lf.apply(255L) + " " + lp.or(l -> l == 0).test(0) + " "
            + ls.getAsLong() + " " + ltd.applyAsDouble(1L << 60) + " " + lti.applyAsInt(-1L) + " " + luo.applyAsLong(5) + " "
            + LongUnaryOperator.identity().applyAsLong(8));
        ObjDoubleConsumer<String> odc = (s, d) -> side = s.length() + (int) d;
        ObjIntConsumer<String> oic = (s, i) -> side += s.length() * i;
        ObjLongConsumer<String> olc = (s, l) -> side += s.length() - l;
        odc.accept("abc", 2.9);
        oic.accept("ab", 10);
        olc.accept("a", 3L);
        Predicate<String> predicate = String::isEmpty;
        Supplier<Object> supplier = () -> "supplied";
        ToDoubleBiFunction<Integer, Long> tdb = (i, l) -> i / (double) l;
        ToDoubleFunction<String> td = Double::parseDouble;
        ToIntBiFunction<String, String> tib = String::indexOf;
        ToIntFunction<String> ti = String::length;
        ToLongBiFunction<Integer, Integer> tlb = (a, b) -> (long) a * b;
        ToLongFunction<String> tl = Long::parseLong;
        UnaryOperator<String> uo = String::trim;
        System.out.println(side + " " + predicate.or(s -> s.length() > 3).test("four") + Predicate.not(predicate).test("")
            + Predicate.isEqual("x").test("x") + " " + supplier.get() + " " + tdb.applyAsDouble(1, 8L) + " " + td.applyAsDouble("2.5") + " "
            + tib.applyAsInt("hello", "l") + " " + ti.applyAsInt("four") + " " + tlb.applyAsLong(1 << 20, 1 << 20) + " " + tl.applyAsLong("5") + " ["
            + uo.apply("  t ") + "] " + UnaryOperator.<String>identity().apply("same") + Function.<Integer>identity().apply(3));
    }
}
