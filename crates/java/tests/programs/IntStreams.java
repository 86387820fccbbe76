// IntStream, LongStream, DoubleStream.
import java.util.Arrays;
import java.util.PrimitiveIterator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

public class IntStreams {
    public static void main(String[] args) {
        System.out.println(IntStream.range(0, 5).sum() + " " + IntStream.rangeClosed(1, 5).reduce(1, (a, b) -> a * b) + " "
            + IntStream.of(3, 1, 2).max().getAsInt() + " " + IntStream.empty().min() + " " + IntStream.range(0, 4).average());
        System.out.println(IntStream.range(0, 10).filter(i -> i % 3 == 0).mapToObj(Integer::toString).collect(Collectors.joining("-")));
        System.out.println(IntStream.iterate(1, i -> i * 2).limit(10).boxed().toList() + " " + IntStream.iterate(10, i -> i > 0, i -> i - 3).boxed().toList());
        System.out.println(Arrays.toString(IntStream.of(5, 3, 5, 1).sorted().distinct().toArray()) + " " + IntStream.rangeClosed(1, 4).summaryStatistics().getAverage());
        System.out.println(LongStream.rangeClosed(1, 20).reduce(1L, (a, b) -> a * b) + " " + LongStream.of(1L << 40, 5).sum());
        System.out.println(DoubleStream.of(0.1, 0.2, 0.3).sum() + " " + DoubleStream.of(1, 2, 4).average() + " " + DoubleStream.of(1.5, 2.5).map(Math::floor)
            .boxed().toList() + " " + DoubleStream.of(2, 3).summaryStatistics().getMax());
        System.out.println(IntStream.range(0, 3).asLongStream().mapToObj(l -> "L" + l).toList() + " " + IntStream.range(0, 3).asDoubleStream().boxed().toList()
            + " " + IntStream.range(0, 3).mapToDouble(i -> i / 2.0).sum() + " " + IntStream.range(0, 3).mapToLong(i -> (long) i << 33).max());
        System.out.println("hello".chars().filter(c -> c == 'l').count() + " " + "abc".chars().mapToObj(c -> (char) (c + 1)).toList() + " "
            + "a\ud83d\ude00".codePoints().count());
        System.out.println(IntStream.range(0, 3).flatMap(i -> IntStream.range(0, i)).boxed().toList() + " " + IntStream.concat(IntStream.of(1), IntStream.of(2)).sum());
        System.out.println(IntStream.range(0, 100).anyMatch(i -> i == 50) + " " + IntStream.range(0, 5).allMatch(i -> i < 5) + " "
            + IntStream.range(0, 5).noneMatch(i -> i == 3) + " " + IntStream.range(5, 9).findFirst().getAsInt());
        PrimitiveIterator.OfInt it = IntStream.of(7, 8).iterator();
        System.out.println(it.nextInt() + it.next());
        System.out.println(Arrays.stream(new int[] {1, 2, 3, 4}, 1, 3).sum() + " " + Arrays.stream(new double[] {1.5, 2}).max().getAsDouble());
        StringBuilder primes = new StringBuilder();
        IntStream.rangeClosed(2, 50).filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0)).forEach(p -> primes.append(p)
            .append(' '));
        System.out.println(primes);
        System.out.println("" + IntStream.range(0, 5).collect(StringBuilder::new, (b, i) -> b.append(i), StringBuilder::append));
        System.out.println(IntStream.rangeClosed(1, 3).mapToObj(i -> IntStream.rangeClosed(1, 3).mapToObj(j -> i * j + "").collect(Collectors.joining(" ")))
            .collect(Collectors.joining(" | ")));
        System.out.println(IntStream.range(0, 6).skip(2).limit(2).peek(i -> System.out.print("<" + i + ">")).sum());
        System.out.println(IntStream.of(1, 2, 5, 1).takeWhile(i -> i < 5).count() + " " + IntStream.builder().add(4).add(5).build().sum());
    }
}
