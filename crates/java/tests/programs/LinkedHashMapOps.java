// LinkedHashMap in insertion and access order, an LRU cache, LinkedHashSet.
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class LinkedHashMapOps {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;
        private final int limit;

        Lru(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            if (size() > limit) {
                System.out.println("evict " + eldest);
                return true;
            }
            return false;
        }
    }

    public static void main(String[] args) {
        Map<String, Integer> m = new LinkedHashMap<>();
        for (String s : "one two three four one two".split(" ")) {
            m.merge(s, s.length(), Integer::sum);
        }
        System.out.println(m);
        m.remove("two");
        m.put("two", 0);
        m.put("one", -1);
        System.out.println(m + " " + m.keySet() + " " + m.values() + " " + m.entrySet().iterator().next());
        Lru<Integer, String> lru = new Lru<>(3);
        for (int i = 0; i < 5; i++) {
            lru.put(i, "v" + i);
            lru.get(1);
        }
        System.out.println(lru);
        lru.getOrDefault(3, "");
        lru.putIfAbsent(1, "x");
        System.out.println(lru + " " + lru.containsKey(4));
        Set<Integer> s = new LinkedHashSet<>(List.of(5, 3, 9, 1));
        s.add(3);
        s.remove(9);
        s.add(9);
        System.out.println(s + " " + s.equals(Set.of(1, 3, 5, 9)));
        s.removeIf(x -> x < 4);
        System.out.println(s + " " + s.stream().map(x -> x * 2).toList());
    }
}
