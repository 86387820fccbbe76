// instanceof with binding variables and their scope.
import java.util.List;

public class PatternInstanceof {
    static String describe(Object o) {
        if (o instanceof Integer i && i > 10) {
            return "big int " + (i + 1);
        } else if (o instanceof Integer i) {
            return "int " + i;
        } else if (o instanceof String s && !s.isEmpty() && s.charAt(0) == 'x') {
            return "x-string of " + s.length();
        } else if (o instanceof CharSequence c) {
            return "text " + c.length();
        } else if (o instanceof int[] a) {
            return "ints " + a.length;
        } else if (o instanceof List<?> l && l.size() == 1 && l.get(0) instanceof String first) {
            return "single " + first;
        }
        if (!(o instanceof Number n)) {
            return "not a number " + (o == null);
        }
        return "number " + n.intValue();
    }

    static final class Point {
        final int x;
        final int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Point p && p.x == x && p.y == y;
        }

        @Override
        public int hashCode() {
            return 31 * x + y;
        }
    }

    public static void main(String[] args) {
        Object[] all = {1, 11, "xyz", "abc", "", new StringBuilder("sb"), new int[3], List.of("one"), List.of(1), 2.9, 5L, null, 'c'};
        for (Object o : all) {
            System.out.println(describe(o));
        }
        System.out.println(new Point(1, 2).equals(new Point(1, 2)) + " " + new Point(1, 2).equals("p") + " "
            + new Point(1, 2).equals(null));
        Object o = "loop";
        while (!(o instanceof Integer n)) {
            o = o instanceof String s ? s.length() : null;
        }
        System.out.println(n + 1);
    }
}
