// Generic data structures with inner classes, iterators, varargs, bounded types and interfaces with private methods.
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

public class GenericToolbox {
    static class Lru<K, V> extends LinkedHashMap<K, V> {
        private final int limit;

        Lru(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > limit;
        }
    }

    static class Ring<T> implements Iterable<T> {
        private final Object[] items;
        private int start;
        private int size;

        Ring(int capacity) {
            items = new Object[capacity];
        }

        @SafeVarargs
        final Ring<T> add(T... values) {
            for (T value : values) {
                items[(start + size) % items.length] = value;
                if (size < items.length) {
                    size++;
                } else {
                    start = (start + 1) % items.length;
                }
            }
            return this;
        }

        @Override
        public Iterator<T> iterator() {
            return new Iterator<>() {
                private int at;

                @Override
                public boolean hasNext() {
                    return at < size;
                }

                @Override
                @SuppressWarnings("unchecked")
                public T next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException("ring of " + Ring.this.size);
                    }
                    return (T) items[(start + at++) % items.length];
                }
            };
        }
    }

    interface Shape {
        double area();

        private String rounded() {
            return String.valueOf(Math.round(area() * 100) / 100.0);
        }

        default String text() {
            return getClass().getSimpleName() + "=" + rounded() + unit();
        }

        private static String unit() {
            return "cm2";
        }
    }

    enum Planet implements Shape {
        SMALL(1) {
            @Override
            public double area() {
                return radius;
            }
        },
        LARGE(10);

        final double radius;

        Planet(double radius) {
            this.radius = radius;
        }

        @Override
        public double area() {
            return 4 * Math.PI * radius * radius;
        }
    }

    static <T extends Comparable<? super T>> T most(Collection<? extends T> all) {
        Iterator<? extends T> each = all.iterator();
        T best = each.next();
        while (each.hasNext()) {
            T next = each.next();
            best = next.compareTo(best) > 0 ? next : best;
        }
        return best;
    }

    static class Squares extends AbstractList<Integer> implements RandomAccess {
        @Override
        public Integer get(int i) {
            return i * i;
        }

        @Override
        public int size() {
            return 6;
        }
    }

    public static void main(String[] args) {
        Lru<String, Integer> cache = new Lru<>(2);
        cache.put("a", 1);
        cache.put("b", 2);
        cache.get("a");
        cache.put("c", 3);
        System.out.println(cache + " " + cache.keySet() + " " + cache.containsKey("b"));
        Ring<String> ring = new Ring<String>(3).add("x", "y").add("z", "w");
        System.out.println(String.join(",", ring) + " " + StreamSupport.stream(ring.spliterator(), false).count());
        try {
            Iterator<String> it = ring.iterator();
            while (true) {
                it.next();
            }
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        for (Planet planet : Planet.values()) {
            System.out.println(planet.text() + " " + planet.getClass() + " " + planet.getDeclaringClass() + " " + Planet.valueOf(planet.name()).ordinal());
        }
        EnumMap<Planet, String> names = new EnumMap<>(Map.of(Planet.LARGE, "l", Planet.SMALL, "s"));
        System.out.println(names + " " + most(Arrays.asList(3, 9, 4)) + " " + most(List.of("b", "a")));
        PriorityQueue<int[]> queue = new PriorityQueue<>(Comparator.comparingInt((int[] p) -> p[1]).thenComparing(p -> p[0], Comparator.reverseOrder()));
        for (int i = 0; i < 8; i++) {
            queue.add(new int[] {i, i * 5 % 4});
        }
        StringBuilder text = new StringBuilder();
        while (!queue.isEmpty()) {
            int[] p = queue.poll();
            text.append(p[0]).append(':').append(p[1]).append(' ');
        }
        System.out.println(text.reverse().insert(0, '<').append('>').deleteCharAt(1).replace(0, 1, "[["));
        BitSet sieve = new BitSet(60);
        sieve.set(2, 60);
        for (int i = 2; i < 60; i = sieve.nextSetBit(i + 1)) {
            for (int j = i * i; j < 60; j += i) {
                sieve.clear(j);
            }
            if (sieve.nextSetBit(i + 1) < 0) {
                break;
            }
        }
        System.out.println(sieve + " " + sieve.cardinality() + " " + Arrays.toString(sieve.toLongArray()));
        ListIterator<Integer> li = new ArrayList<>(new Squares()).listIterator(3);
        li.previous();
        li.set(-1);
        li.add(77);
        System.out.println(li.nextIndex() + " " + new Squares().subList(1, 4) + " " + new Squares().indexOf(16) + " " + new Squares().hashCode());
        try {
            new Squares().add(1);
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        Deque<Character> stack = new ArrayDeque<>();
        outer:
        for (String s : new String[] {"([]{})", "([)]", "((", ""}) {
            stack.clear();
            for (char c : s.toCharArray()) {
                int open = "([{".indexOf(c);
                if (open >= 0) {
                    stack.push(")]}".charAt(open));
                } else if (stack.isEmpty() || stack.pop() != c) {
                    System.out.println(s + " wrong at " + c);
                    continue outer;
                }
            }
            System.out.println("'" + s + "' " + (stack.isEmpty() ? "fine" : "open " + stack));
        }
        Map<Character, Integer> counts = new TreeMap<>(Comparator.reverseOrder());
        "mississippi".chars().forEach(c -> counts.merge((char) c, 1, Integer::sum));
        System.out.println(counts + " " + counts.entrySet().stream().sorted(Map.Entry.<Character, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).toList());
        Map<String, List<Integer>> multi = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            multi.computeIfAbsent(i % 2 == 0 ? "even" : "odd", k -> new ArrayList<>()).add(i);
        }
        multi.computeIfPresent("odd", (k, v) -> v.size() > 3 ? null : v);
        multi.replaceAll((k, v) -> v.subList(0, 2));
        System.out.println(multi + " " + multi.getOrDefault("odd", List.of()));
        Supplier<Optional<Integer>> first = () -> Stream.iterate(1, i -> i * 3).dropWhile(i -> i < 50).filter(i -> i % 2 == 1).findFirst();
        System.out.println(first.get() + " " + first.get().map(i -> i + 1).filter(i -> i > 100).or(() -> Optional.of(-1)).get() + " " + Optional.empty().isPresent());
        Spliterator<Integer> whole = List.of(1, 2, 3, 4, 5, 6).spliterator();
        Spliterator<Integer> half = whole.trySplit();
        System.out.println(half.estimateSize() + " " + whole.estimateSize() + " " + whole.hasCharacteristics(Spliterator.SIZED));
    }
}
