// clone of arrays and objects, shallow and deep, and its refusal.
import java.util.Arrays;

public class CloneObjects {
    static class Plain implements Cloneable {
        int a = 1;
        long b = 2;
        String s = "s";
        int[] data = {1, 2, 3};
        Plain next;

        @Override
        public Plain clone() {
            try {
                return (Plain) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Deep extends Plain {
        double extra = 0.5;

        @Override
        public Deep clone() {
            Deep d = (Deep) super.clone();
            d.data = data.clone();
            return d;
        }
    }

    static class Refused {
        Object copy() throws CloneNotSupportedException {
            return super.clone();
        }
    }

    public static void main(String[] args) {
        Plain p = new Plain();
        p.a = 10;
        p.next = p;
        Plain q = p.clone();
        q.a = 20;
        q.data[0] = 99;
        System.out.println(p.a + " " + q.a + " " + p.data[0] + " " + (q.next == p) + " " + (q.data == p.data) + " " + q.b + q.s);
        Deep d = new Deep();
        d.extra = 7;
        Deep e = d.clone();
        e.data[0] = 99;
        System.out.println(d.data[0] + " " + e.data[0] + " " + e.extra + " " + e.getClass().getSimpleName());
        try {
            new Refused().copy();
        } catch (CloneNotSupportedException x) {
            System.out.println(x);
        }
        int[] ints = {1, 2};
        String[][] words = {{"a"}, {"b", "c"}};
        String[][] copy = words.clone();
        copy[0][0] = "changed";
        copy[1] = new String[0];
        System.out.println(Arrays.toString(ints.clone()) + " " + Arrays.deepToString(words) + " " + Arrays.deepToString(copy));
        boolean[] flags = {true};
        boolean[] other = flags.clone();
        other[0] = false;
        System.out.println(flags[0] + " " + other[0] + " " + new double[0].clone().length + " " + new char[] {'x'}.clone()[0]);
        java.util.ArrayList<Integer> list = new java.util.ArrayList<>(java.util.List.of(1, 2));
        Object listCopy = list.clone();
        list.add(3);
        System.out.println(listCopy + " " + list);
    }
}
