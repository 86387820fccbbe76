// Streams are lazy: order of evaluation, short circuits, late binding, exceptions within.
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class StreamLaziness {
    public static void main(String[] args) {
        Stream<Integer> s = Stream.of(1, 2, 3, 4).filter(x -> {
            System.out.println("filter " + x);
            return x % 2 == 0;
        }).map(x -> {
            System.out.println("map " + x);
            return x * 10;
        });
        System.out.println("built");
        System.out.println(s.findFirst().get());
        Stream.of(3, 1, 2).peek(x -> System.out.println("before " + x)).sorted().peek(x -> System.out.println("after " + x)).limit(2)
            .forEach(x -> System.out.println("end " + x));
        List<String> source = new ArrayList<>(List.of("a"));
        Stream<String> late = source.stream();
        source.add("b");
        System.out.println(late.toList());
        try {
            Stream.of("1", "x", "3").map(Integer::parseInt).forEach(System.out::println);
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(IntStream.iterate(1, i -> i + 1).map(i -> i * i).filter(i -> i % 7 == 4).limit(3).boxed().toList());
        System.out.println(Stream.of(1, 2, 3).peek(x -> System.out.println("peeked " + x)).anyMatch(x -> x == 2));
        System.out.println(Stream.iterate(new int[] {0, 1}, f -> new int[] {f[1], f[0] + f[1]}).map(f -> f[0]).limit(12).toList());
        try {
            List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
            list.stream().forEach(x -> list.add(x));
        } catch (java.util.ConcurrentModificationException e) {
            System.out.println("modified");
        }
        System.out.println(Stream.of("b", "a").sorted(java.util.Collections.reverseOrder()).toList());
    }
}
