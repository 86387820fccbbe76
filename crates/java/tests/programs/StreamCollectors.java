// Collectors: grouping, partitioning, mapping, teeing, summaries; maps are printed sorted.
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class StreamCollectors {
    record Person(String name, String town, int age) {}

    static void show(Object o) {
        System.out.println(o);
    }

    public static void main(String[] args) {
        List<Person> people = List.of(new Person("Ann", "Oslo", 31), new Person("Bob", "Rome", 25), new Person("Cid", "Oslo", 44),
            new Person("Dee", "Bern", 25), new Person("Eve", "Rome", 61));
        show(people.stream().collect(Collectors.groupingBy(Person::town, TreeMap::new, Collectors.mapping(Person::name,
            Collectors.toList()))));
        show(people.stream().collect(Collectors.groupingBy(Person::age, TreeMap::new, Collectors.counting())));
        show(new TreeMap<>(people.stream().collect(Collectors.groupingBy(Person::town))));
        show(people.stream().collect(Collectors.partitioningBy(p -> p.age() > 30, Collectors.mapping(Person::name,
            Collectors.joining("+")))));
        show(new TreeMap<>(people.stream().collect(Collectors.toMap(Person::name, Person::age))));
        show(people.stream().collect(Collectors.toMap(Person::town, Person::age, Integer::sum, LinkedHashMap::new)));
        try {
            people.stream().collect(Collectors.toMap(Person::town, Person::age));
        } catch (IllegalStateException e) {
            show(e.getMessage());
        }
        show(people.stream().collect(Collectors.averagingInt(Person::age)) + " " + people.stream().collect(Collectors.summingInt(
            Person::age)) + " " + people.stream().collect(Collectors.summarizingInt(Person::age)).getMin());
        show(people.stream().collect(Collectors.teeing(Collectors.counting(), Collectors.averagingDouble(Person::age), (n, a) -> n + "/" + a)));
        show(people.stream().map(Person::town).collect(Collectors.toCollection(TreeSet::new)));
        show(people.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size)));
        show(people.stream().collect(Collectors.maxBy(Comparator.comparing(Person::age))).map(Person::name));
        show(people.stream().collect(Collectors.groupingBy(Person::town, TreeMap::new, Collectors.filtering(p -> p.age() > 40,
            Collectors.counting()))));
        show(people.stream().collect(Collectors.groupingBy(Person::town, TreeMap::new, Collectors.flatMapping(
            p -> p.name().chars().mapToObj(c -> (char) c), Collectors.toCollection(TreeSet::new)))));
        show(people.stream().collect(Collectors.reducing(0, Person::age, Integer::max)));
        Collector<String, StringBuilder, String> own = Collector.of(StringBuilder::new, (b, s) -> b.append(s).append(';'), StringBuilder::append,
            StringBuilder::toString);
        show(Stream.of("a", "b").collect(own));
        Map<Character, Long> letters = "mississippi".chars().mapToObj(c -> (char) c).collect(Collectors.groupingBy(Function.identity(),
            TreeMap::new, Collectors.counting()));
        show(letters);
        show(Stream.of(1, 2, 3).collect(Collectors.toUnmodifiableList()) + " " + Stream.of(4).collect(Collectors.toSet()) + " "
            + Stream.of("x", "y").collect(Collectors.joining()));
    }
}
