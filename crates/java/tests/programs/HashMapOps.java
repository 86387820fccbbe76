// HashMap and HashSet with integer keys (whose order is fixed), computing methods, views, resizing.
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class HashMapOps {
    public static void main(String[] args) {
        Map<Integer, String> m = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            m.put(i * 5 % 23, "v" + i);
        }
        System.out.println(m + " " + m.size());
        System.out.println(m.put(5, "new") + " " + m.get(5) + " " + m.get(1000) + " " + m.getOrDefault(1000, "none") + " " + m.containsKey(7) + " "
            + m.containsValue("v3") + " " + m.remove(5) + " " + m.remove(1000) + " " + m.remove(10, "wrong") + " " + m.putIfAbsent(10, "no") + " "
            + m.putIfAbsent(100, "yes"));
        m.compute(10, (k, v) -> v + k);
        m.compute(11, (k, v) -> null);
        m.computeIfAbsent(12345, k -> "made " + k);
        m.computeIfPresent(12, (k, v) -> v == null ? "x" : v.repeat(2));
        m.merge(13, "+", String::concat);
        m.merge(777, "first", String::concat);
        m.merge(14, "-", (a, b) -> null);
        m.replace(15, "replaced");
        m.replace(16, "wrong", "no");
        m.replaceAll((k, v) -> v.toUpperCase(java.util.Locale.ROOT));
        System.out.println(m);
        m.put(null, "null key");
        m.put(2, null);
        System.out.println(m.get(null) + " " + m.containsKey(2) + " " + m.get(2) + " " + m.getOrDefault(2, "d") + " " + m.computeIfAbsent(2, k -> "c"));
        m.keySet().removeIf(k -> k == null || k > 10);
        m.values().remove("V1");
        for (Map.Entry<Integer, String> e : m.entrySet()) {
            if (e.getKey() == 3) {
                e.setValue("changed");
            }
        }
        System.out.println(m + " " + m.keySet() + " " + m.values());
        Iterator<Map.Entry<Integer, String>> it = m.entrySet().iterator();
        it.next();
        it.remove();
        System.out.println(m.size() + " " + m.equals(new HashMap<>(m)) + " " + m.hashCode());
        int[] total = {0};
        m.forEach((k, v) -> total[0] += k * v.length());
        System.out.println(total[0]);
        Set<Character> set = new HashSet<>();
        for (char c : "hello world".toCharArray()) {
            set.add(c);
        }
        System.out.println(set + " " + set.contains('w') + " " + set.remove('z') + " " + set.add('h'));
        set.retainAll(List.of('l', 'o', 'x'));
        System.out.println(set);
        Map<String, Integer> counts = new HashMap<>();
        for (String w : "a b a c b a".split(" ")) {
            counts.merge(w, 1, Integer::sum);
        }
        System.out.println(counts);
        Map<Integer, Integer> big = new HashMap<>(4, 0.5f);
        for (int i = 0; i < 500; i++) {
            big.put(i * 31, i);
        }
        long sum = 0;
        for (int v : big.values()) {
            sum += v;
        }
        System.out.println(big.size() + " " + sum + " " + big.get(31 * 77));
        try {
            m.computeIfAbsent(50, k -> {
                m.put(51, "x");
                return "y";
            });
        } catch (java.util.ConcurrentModificationException e) {
            System.out.println("modified while computing");
        }
        System.out.println(Map.entry("k", 1) + " " + new java.util.AbstractMap.SimpleEntry<>("a", 2).getValue());
    }
}
