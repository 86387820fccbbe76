// List.of, Set.of, Map.of: contents (sorted before printing), refusal of nulls, duplicates and changes.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

public class ImmutableCollections {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": fine");
        } catch (UnsupportedOperationException | NullPointerException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName());
        } catch (IllegalArgumentException e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        List<Integer> l = List.of(3, 1, 2);
        System.out.println(l + " " + List.of() + List.of("single") + List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) + l.contains(2) + l.indexOf(1) + l.size());
        System.out.println(new TreeSet<>(Set.of(5, 3, 4, 1)) + " " + new TreeSet<>(Set.of("z", "y")) + " " + Set.of().isEmpty() + " " + Set.of(1, 2).contains(2)
            + " " + Set.of(1, 2).equals(Set.of(2, 1)));
        System.out.println(new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3)) + " " + Map.of() + " " + Map.of("k", "v") + " " + new TreeMap<>(Map.ofEntries(Map
            .entry(2, "two"), Map.entry(1, "one"))));
        Map<Integer, Integer> m = Map.of(1, 10, 2, 20, 3, 30, 4, 40, 5, 50);
        int sum = 0;
        for (Map.Entry<Integer, Integer> e : m.entrySet()) {
            sum += e.getKey() * e.getValue();
        }
        System.out.println(sum + " " + m.get(3) + " " + m.get(9) + " " + m.containsValue(40) + " " + m.hashCode() + " " + m.equals(new TreeMap<>(m)));
        attempt("add", () -> l.add(1));
        attempt("set", () -> l.set(0, 1));
        attempt("remove", () -> l.remove(0));
        attempt("list null", () -> List.of(1, null));
        attempt("contains null", () -> l.contains(null));
        attempt("set duplicate", () -> Set.of(1, 1));
        attempt("map duplicate", () -> Map.of("a", 1, "a", 2));
        attempt("map null", () -> Map.of("a", null));
        attempt("put", () -> m.put(1, 1));
        attempt("entry set", () -> m.entrySet().iterator().next().setValue(1));
        attempt("copy", () -> List.copyOf(new ArrayList<>(List.of(1))).add(2));
        attempt("copy null", () -> Set.copyOf(java.util.Arrays.asList(1, null)));
        attempt("copy duplicates", () -> Set.copyOf(List.of(1, 1)));
        attempt("clear", () -> Set.of(1).clear());
        attempt("sublist", () -> l.subList(0, 2).remove(0));
        System.out.println((List.copyOf(l) == l) + " " + l.equals(List.of(3, 1, 2)) + " " + l.hashCode() + " " + l.subList(1, 3));
    }
}
