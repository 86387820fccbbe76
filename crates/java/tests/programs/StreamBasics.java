// Streams of objects: the intermediate and terminal operations.
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class StreamBasics {
    public static void main(String[] args) {
        List<String> words = List.of("stream", "of", "some", "words", "of", "length", "up", "to", "six");
        System.out.println(words.stream().filter(w -> w.length() > 2).map(w -> w.charAt(0) + "").collect(Collectors.toList()));
        System.out.println(words.stream().distinct().sorted().toList());
        System.out.println(words.stream().sorted(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())).toList());
        System.out.println(words.stream().skip(2).limit(3).toList() + " " + words.stream().skip(100).count());
        System.out.println(words.stream().mapToInt(String::length).sum() + " " + words.stream().count());
        System.out.println(words.stream().reduce("", (a, b) -> a + b.charAt(0)) + " " + words.stream().map(String::length).reduce(Integer::sum) + " "
            + words.stream().reduce(0, (n, w) -> n + w.length(), Integer::sum));
        System.out.println(words.stream().anyMatch(w -> w.startsWith("w")) + " " + words.stream().allMatch(w -> w.length() < 7) + " "
            + words.stream().noneMatch(String::isEmpty) + " " + Stream.empty().allMatch(x -> false));
        System.out.println(words.stream().findFirst() + " " + words.stream().filter(w -> w.length() > 9).findAny() + " "
            + words.stream().max(Comparator.naturalOrder()).get() + " " + words.stream().min(Comparator.comparing(String::length)).get());
        System.out.println(Stream.iterate(1, x -> x * 3).limit(6).toList() + " " + Stream.iterate(1, x -> x < 50, x -> x * 2).toList());
        int[] n = {0};
        System.out.println(Stream.generate(() -> n[0]++).limit(4).toList());
        System.out.println(Stream.of(List.of(1, 2), List.<Integer>of(), List.of(3)).flatMap(List::stream).map(x -> x * 10).toList());
        System.out.println(Stream.of(1, 2, 3, 4).<String>mapMulti((x, out) -> {
            if (x % 2 == 0) {
                out.accept("a" + x);
                out.accept("b" + x);
            }
        }).toList());
        System.out.println(Stream.of(1, 2, 3, 1, 5).takeWhile(x -> x < 3).toList() + " " + Stream.of(1, 2, 3, 1, 5).dropWhile(x -> x < 3).toList());
        System.out.println(Stream.concat(Stream.of("a"), Stream.of("b", "c")).collect(Collectors.joining(",")));
        System.out.println(Arrays.toString(Stream.of(3, 1, 2).sorted().toArray(Integer[]::new)) + Arrays.toString(Stream.of(1, "x").toArray()));
        StringBuilder log = new StringBuilder();
        words.stream().peek(w -> log.append(w.charAt(0))).forEachOrdered(w -> log.append('.'));
        System.out.println(log);
        Stream<Integer> used = Stream.of(1);
        used.count();
        try {
            used.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Stream.ofNullable(null).count() + " " + Stream.of("z").findFirst().map(String::length).orElse(0));
        Optional<Integer> none = Stream.<Integer>empty().max(Integer::compare);
        System.out.println(none);
        try (Stream<Integer> s = Stream.of(1).onClose(() -> System.out.println("closed"))) {
            System.out.println(s.iterator().next());
        }
        System.out.println(Stream.of(5, 3, 8).parallel().isParallel() + " " + Stream.of(5, 3, 8).sequential().map(x -> -x).sorted().toList());
    }
}
