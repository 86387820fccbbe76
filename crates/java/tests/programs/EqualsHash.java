// equals and hashCode: contracts, standard hash codes, identity hashes that stay the same.
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

public class EqualsHash {
    static class Key {
        final String name;
        final int n;

        Key(String name, int n) {
            this.name = name;
            this.n = n;
        }

        @Override
        public boolean equals(Object o) {
            if (this == o) {
                return true;
            }
            if (o == null || getClass() != o.getClass()) {
                return false;
            }
            Key k = (Key) o;
            return n == k.n && Objects.equals(name, k.name);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, n);
        }
    }

    public static void main(String[] args) {
        System.out.println("hello".hashCode() + " " + "".hashCode() + " " + "\u20ac\uffff".hashCode() + " " + List.of(1, 2, 3).hashCode()
            + " " + Set.of(5, 6).hashCode() + " " + Map.of("a", 1).hashCode() + " " + Arrays.hashCode(new int[] {1, 2}) + " "
            + Objects.hash(1, "a", null) + " " + Objects.hashCode(null));
        System.out.println(Arrays.hashCode(new double[] {1.5}) + " " + Arrays.deepHashCode(new Object[] {new int[] {1}, "x"}) + " "
            + Float.hashCode(0.1f) + " " + Double.hashCode(0.1) + " " + Long.hashCode(-1L) + " " + Boolean.hashCode(false));
        Key a = new Key("a", 1);
        Key b = new Key("a", 1);
        System.out.println(a.equals(b) + " " + b.equals(a) + " " + a.equals(null) + " " + a.equals("a") + " " + (a.hashCode() == b.hashCode())
            + " " + a.hashCode() + " " + new Key(null, 0).equals(new Key(null, 0)));
        Map<Key, Integer> map = new HashMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(new Key("b", 1), 3);
        System.out.println(map.size() + " " + map.get(new Key("a", 1)));
        Object o = new Object();
        int first = System.identityHashCode(o);
        boolean stable = true;
        for (int i = 0; i < 100; i++) {
            Object other = new Object();
            stable &= other.hashCode() == System.identityHashCode(other);
            stable &= first == o.hashCode();
        }
        System.out.println(stable + " " + System.identityHashCode(null) + " " + (System.identityHashCode(a) == System.identityHashCode(a)));
        System.out.println(o.equals(o) + " " + o.equals(new Object()) + " " + o.toString().startsWith("java.lang.Object@"));
        IdentityHashMap<String, Integer> identity = new IdentityHashMap<>();
        identity.put("x", 1);
        identity.put(new String("x"), 2);
        identity.put("x", 3);
        System.out.println(identity.size() + " " + identity.get("x") + " " + identity.get(new String("x")));
        Set<Object> set = new HashSet<>(Arrays.asList(a, b, null, null, 1, 1L, 1.0, "1", '1'));
        System.out.println(set.size());
        System.out.println(new int[0].equals(new int[0]) + " " + List.of().equals(new java.util.LinkedList<>()) + " "
            + new HashSet<>(List.of(1, 2)).equals(new java.util.TreeSet<>(List.of(2, 1))));
    }
}
