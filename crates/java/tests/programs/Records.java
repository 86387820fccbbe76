// Records: components, equality, hash codes, text, compact constructors, nesting, interfaces.
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public class Records {
    record Point(int x, int y) implements Comparable<Point> {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < -1000) {
                throw new IllegalArgumentException("x " + x);
            }
        }

        Point(int both) {
            this(both, both);
        }

        double length() {
            return Math.sqrt(x * x + y * y);
        }

        @Override
        public int compareTo(Point o) {
            return Integer.compare(x * x + y * y, o.x * o.x + o.y * o.y);
        }
    }

    record All(boolean z, byte b, short s, char c, int i, long l, float f, double d, String t, int[] a) {}

    record Empty() {}

    record Named<T>(String name, T value) {
        @Override
        public String name() {
            return name.toUpperCase(java.util.Locale.ROOT);
        }
    }

    record Clamped(int value) {
        Clamped {
            value = Math.max(0, Math.min(10, value));
        }
    }

    record Line(Point from, Point to) {}

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.x() + " " + p.y + " " + p.length() + " " + new Point(7) + " " + Point.ORIGIN);
        System.out.println(p.equals(new Point(3, 4)) + " " + p.equals(new Point(4, 3)) + " " + p.equals(null) + " " + p.equals("p"));
        System.out.println(p.hashCode() == new Point(3, 4).hashCode());
        int[] shared = {1};
        All all = new All(true, (byte) 1, (short) 2, 'c', 4, 5L, 6.5f, 7.5, "t", shared);
        All same = new All(true, (byte) 1, (short) 2, 'c', 4, 5L, 6.5f, 7.5, "t", shared);
        All other = new All(true, (byte) 1, (short) 2, 'c', 4, 5L, 6.5f, 7.5, "t", shared.clone());
        System.out.println(all.toString().replaceAll("@[0-9a-f]+", "@"));
        System.out.println(all.equals(same) + " " + all.equals(other) + " " + (all.hashCode() == same.hashCode()));
        record Floats(float f, double d) {}
        System.out.println(new Floats(Float.NaN, 0.0).equals(new Floats(Float.NaN, 0.0)) + " "
            + new Floats(1, 0.0).equals(new Floats(1, -0.0)));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        Named<List<Integer>> n = new Named<>("list", List.of(1, 2));
        System.out.println(n + " " + n.name() + " " + n.value().get(1) + " " + new Named<>(null, null).equals(new Named<>(null, null)));
        System.out.println(new Clamped(99) + " " + new Clamped(-5) + " " + new Clamped(5).value());
        System.out.println(new Line(p, new Point(1)).equals(new Line(new Point(3, 4), new Point(1, 1))) + " " + new Line(p, null));
        try {
            new Point(-2000, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Point[] sorted = {new Point(5), p, Point.ORIGIN, new Point(-1, 2)};
        Arrays.sort(sorted);
        System.out.println(Arrays.toString(sorted));
        Set<Point> set = new HashSet<>(List.of(p, new Point(1)));
        System.out.println(set.contains(new Point(3, 4)) + " " + set.add(new Point(1, 1)) + " " + set.size());
        System.out.println(Arrays.toString(Line.class.getRecordComponents()) + " " + p.getClass().isRecord());
    }
}
