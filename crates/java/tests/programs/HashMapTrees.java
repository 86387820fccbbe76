// HashMap bins that become trees: many keys with one hash, comparable and not, and their removal.
import java.util.HashMap;
import java.util.Map;

public class HashMapTrees {
    static class Bad implements Comparable<Bad> {
        final int id;

        Bad(int id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            return id % 3;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Bad b && b.id == id;
        }

        @Override
        public int compareTo(Bad o) {
            return Integer.compare(id, o.id);
        }
    }

    static class Worse {
        final int id;

        Worse(int id) {
            this.id = id;
        }

        @Override
        public int hashCode() {
            return 42;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Worse w && w.id == id;
        }
    }

    public static void main(String[] args) {
        Map<Bad, Integer> m = new HashMap<>();
        for (int i = 0; i < 120; i++) {
            m.put(new Bad(i), i);
        }
        boolean all = true;
        for (int i = 0; i < 120; i++) {
            all &= m.get(new Bad(i)) == i;
        }
        System.out.println(m.size() + " " + all + " " + m.get(new Bad(500)));
        for (int i = 0; i < 120; i++) {
            if (i % 4 != 0) {
                all &= m.remove(new Bad(i)) == i;
            }
        }
        int sum = 0;
        for (Map.Entry<Bad, Integer> e : m.entrySet()) {
            sum += e.getKey().id * 2 - e.getValue();
        }
        System.out.println(m.size() + " " + all + " " + sum);
        m.merge(new Bad(0), 1000, Integer::sum);
        System.out.println(m.get(new Bad(0)) + " " + m.containsKey(new Bad(1)) + " " + m.containsKey(new Bad(4)));
        Map<Worse, String> w = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            w.put(new Worse(i), "w" + i);
        }
        boolean found = true;
        for (int i = 0; i < 40; i++) {
            found &= ("w" + i).equals(w.get(new Worse(i)));
        }
        System.out.println(w.size() + " " + found);
        w.keySet().removeIf(k -> k.id % 2 == 0);
        System.out.println(w.size() + " " + w.get(new Worse(3)) + " " + w.get(new Worse(4)));
        Map<String, Integer> strings = new HashMap<>();
        String[] halves = {"Aa", "BB"};
        for (int bits = 0; bits < 32; bits++) {
            StringBuilder b = new StringBuilder();
            for (int k = 0; k < 5; k++) {
                b.append(halves[bits >> k & 1]);
            }
            strings.put(b.toString(), bits);
        }
        System.out.println(strings.size() + " " + strings.get("AaAaAaAaAa") + " " + strings.get("BBBBBBBBBB") + " " + strings.get("BBAaBBAaBB"));
    }
}
