// Boxing, unboxing, caches, identity, equality, conditional typing.
import java.util.ArrayList;
import java.util.List;

public class Boxing {
    static int unbox(Integer i) {
        return i;
    }

    static Object box(int i) {
        return i;
    }

    public static void main(String[] args) {
        for (int v : new int[] {-129, -128, -1, 0, 127, 128, 1000}) {
            Integer a = v;
            Integer b = v;
            Long c = (long) v;
            Long d = (long) v;
            Short e = (short) v;
            Short f = (short) v;
            System.out.println(v + " " + (a == b) + " " + a.equals(b) + " " + (c == d) + " " + c.equals(d) + " " + (e == f) + " "
                + c.equals(a) + " " + (a <= b && a >= b));
        }
        Byte b1 = 100;
        Byte b2 = 100;
        Character c1 = '\u007f';
        Character c2 = '\u007f';
        Character c3 = '\u0080';
        Character c4 = '\u0080';
        Boolean t1 = true;
        Boolean t2 = Boolean.valueOf("TRUE");
        Float f1 = 1f;
        Float f2 = 1f;
        System.out.println((b1 == b2) + " " + (c1 == c2) + " " + (c3 == c4) + " " + c3.equals(c4) + " " + (t1 == t2) + " " + (f1 == f2)
            + " " + f1.equals(f2));
        System.out.println(unbox(7) + " " + box(8) + " " + box(8).getClass().getSimpleName());
        try {
            unbox(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        Object mixed = true ? 1 : 2.0;
        Object kept = true ? (Object) 1 : (Object) 2.0;
        Object chars = false ? 1 : 'a';
        Object same = true ? null : 0;
        System.out.println(mixed + " " + kept + " " + chars + " " + same);
        try {
            Integer none = null;
            int x = args.length == 0 ? none : 0;
            System.out.println(x);
        } catch (NullPointerException e) {
            System.out.println("null again");
        }
        List<Integer> list = new ArrayList<>(List.of(5, 6, 7, 1));
        list.remove(1);
        list.remove(Integer.valueOf(1));
        System.out.println(list);
        Integer sum = 0;
        for (Integer i : list) {
            sum += i;
        }
        System.out.println(sum + " " + sum.hashCode() + " " + Long.valueOf(1L << 32).hashCode() + " " + Boolean.hashCode(true) + " "
            + Double.valueOf(1.5).hashCode() + " " + Character.valueOf('a').hashCode());
        Number n = 3.99;
        System.out.println(n.intValue() + " " + n.byteValue() + " " + n.longValue() + " " + n.floatValue());
        long widened = Integer.valueOf(5);
        double d = 'c';
        System.out.println(widened + " " + d + " " + Double.valueOf(Double.NaN).equals(Double.NaN) + " " + (Double.NaN == Double.NaN));
        System.out.println(Integer.valueOf(5).compareTo(7) + " " + Boolean.compare(true, false) + " " + Boolean.logicalXor(true, true));
    }
}
