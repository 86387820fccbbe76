// TreeMap and TreeSet: navigation, ranges, descending views, comparators.
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

public class TreeMapOps {
    public static void main(String[] args) {
        NavigableMap<Integer, String> m = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            m.put(i * 37 % 101, "v" + i);
        }
        System.out.println(m);
        System.out.println(m.firstKey() + " " + m.lastEntry() + " " + m.floorKey(50) + " " + m.ceilingKey(50) + " " + m.lowerKey(0) + " " + m.higherEntry(90)
            + " " + m.lowerEntry(37) + " " + m.floorEntry(-5));
        System.out.println(m.headMap(10) + " " + m.tailMap(90, false) + " " + m.subMap(40, 50) + " " + m.subMap(40, false, 48, true));
        System.out.println(m.descendingMap().headMap(95) + " " + m.descendingKeySet().first() + " " + m.navigableKeySet().higher(3));
        NavigableMap<Integer, String> view = m.subMap(20, true, 60, true);
        view.put(21, "in view");
        view.remove(view.firstKey());
        System.out.println(view.size() + " " + view + " " + m.size());
        try {
            view.put(99, "out");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(m.pollFirstEntry() + " " + m.pollLastEntry() + " " + m.size());
        for (int i = 0; i < 101; i += 2) {
            m.remove(i);
        }
        System.out.println(m);
        m.merge(3, "!", String::concat);
        m.computeIfAbsent(1000, k -> "k" + k);
        m.replaceAll((k, v) -> v + k % 10);
        System.out.println(m.lastEntry() + " " + m.get(3) + " " + m.containsValue("x"));
        TreeMap<String, Integer> byLength = new TreeMap<>(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        for (String s : "the quick brown fox jumps over a lazy dog".split(" ")) {
            byLength.put(s, s.hashCode() % 7);
        }
        System.out.println(byLength.keySet() + " " + byLength.ceilingKey("zzz") + " " + byLength.floorKey("aaaa"));
        NavigableSet<Integer> s = new TreeSet<>(List.of(5, 1, 9, 3, 7));
        System.out.println(s + " " + s.descendingSet() + " " + s.headSet(5) + " " + s.tailSet(5) + " " + s.subSet(2, 8) + " " + s.floor(4) + s.ceiling(4)
            + s.lower(1) + s.higher(9) + s.pollFirst() + s.pollLast() + " " + s);
        try {
            new TreeMap<Object, Object>().put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no null key");
        }
        try {
            TreeSet<Object> mixed = new TreeSet<>();
            mixed.add("a");
            mixed.add(1);
        } catch (ClassCastException e) {
            System.out.println("not comparable");
        }
        TreeSet<String> nulls = new TreeSet<>(Comparator.nullsFirst(Comparator.naturalOrder()));
        nulls.add("b");
        nulls.add(null);
        nulls.add("a");
        System.out.println(nulls);
    }
}
