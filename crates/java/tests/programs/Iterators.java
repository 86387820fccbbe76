// Iterators and spliterators, own and standard.
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

public class Iterators {
    static class Range implements Iterable<Integer> {
        final int from;
        final int to;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int at = from;

                @Override
                public boolean hasNext() {
                    return at < to;
                }

                @Override
                public Integer next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException("past " + to);
                    }
                    return at++;
                }
            };
        }
    }

    static class Halving implements Spliterator<Integer> {
        private int from;
        private final int to;

        Halving(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public boolean tryAdvance(Consumer<? super Integer> action) {
            if (from >= to) {
                return false;
            }
            action.accept(from++);
            return true;
        }

        @Override
        public Spliterator<Integer> trySplit() {
            int mid = (from + to) >>> 1;
            if (mid == from) {
                return null;
            }
            Halving h = new Halving(from, mid);
            from = mid;
            return h;
        }

        @Override
        public long estimateSize() {
            return to - from;
        }

        @Override
        public int characteristics() {
            return ORDERED | SIZED | SUBSIZED | NONNULL;
        }
    }

    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        for (int i : new Range(3, 8)) {
            b.append(i).append(' ');
        }
        new Range(0, 3).forEach(b::append);
        System.out.println(b);
        Iterator<Integer> it = new Range(1, 4).iterator();
        it.next();
        it.forEachRemaining(i -> System.out.print(i + ";"));
        System.out.println(it.hasNext());
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        Spliterator<Integer> s = new ArrayList<>(List.of(1, 2, 3, 4, 5)).spliterator();
        Spliterator<Integer> left = s.trySplit();
        System.out.println(left.estimateSize() + " " + s.estimateSize() + " " + s.hasCharacteristics(Spliterator.SIZED));
        left.forEachRemaining(i -> System.out.print(i + " "));
        s.tryAdvance(i -> System.out.println("| " + i));
        Halving h = new Halving(0, 10);
        Spliterator<Integer> first = h.trySplit();
        List<Integer> out = new ArrayList<>();
        first.forEachRemaining(out::add);
        System.out.println(out + " " + h.estimateSize() + " " + StreamSupport.stream(h, false).map(x -> x * x).toList());
        System.out.println(StreamSupport.stream(new Range(0, 5).spliterator(), false).reduce(0, Integer::sum));
        System.out.println(StreamSupport.stream(Spliterators.spliteratorUnknownSize(List.of("p", "q").iterator(), Spliterator.ORDERED), false).toList());
        System.out.println(List.of(1, 2, 3).spliterator().getExactSizeIfKnown());
    }
}
