// System.arraycopy: overlap in both directions, all types, every error.
import java.util.Arrays;

public class ArrayCopy {
    static void attempt(String what, Object from, int i, Object to, int j, int n) {
        try {
            System.arraycopy(from, i, to, j, n);
            System.out.println(what + ": copied");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        int[] a = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        System.arraycopy(a, 0, a, 3, 5);
        System.out.println(Arrays.toString(a));
        System.arraycopy(a, 4, a, 1, 6);
        System.out.println(Arrays.toString(a));
        System.arraycopy(a, 2, a, 2, 4);
        System.arraycopy(a, 0, a, 10, 0);
        System.out.println(Arrays.toString(a));
        long[] l = {1, 2, 3};
        double[] d = {1, 2, 3};
        float[] f = {1, 2, 3};
        byte[] b = {1, 2, 3};
        char[] c = {'a', 'b', 'c'};
        short[] s = {1, 2, 3};
        boolean[] z = {true, false, false};
        System.arraycopy(l, 0, l, 1, 2);
        System.arraycopy(d, 0, d, 1, 2);
        System.arraycopy(f, 1, f, 0, 2);
        System.arraycopy(b, 0, b, 1, 2);
        System.arraycopy(c, 1, c, 0, 2);
        System.arraycopy(s, 0, s, 1, 2);
        System.arraycopy(z, 0, z, 1, 2);
        System.out.println(Arrays.toString(l) + Arrays.toString(d) + Arrays.toString(f) + Arrays.toString(b) + Arrays.toString(c)
            + Arrays.toString(s) + Arrays.toString(z));
        attempt("null source", null, 0, a, 0, 1);
        attempt("null target", a, 0, null, 0, 1);
        attempt("no array", "text", 0, a, 0, 1);
        attempt("no array target", a, 0, "text", 0, 1);
        attempt("types", a, 0, l, 0, 1);
        attempt("primitive to object", a, 0, new Object[1], 0, 1);
        attempt("object to primitive", new Integer[1], 0, a, 0, 1);
        attempt("source end", a, 8, new int[20], 0, 3);
        attempt("target end", a, 0, new int[2], 1, 2);
        attempt("negative source", a, -1, a, 0, 1);
        attempt("negative target", a, 0, a, -1, 1);
        attempt("negative length", a, 0, a, 0, -1);
        attempt("overflow", a, 5, a, 0, Integer.MAX_VALUE);
        attempt("bytes end", b, 2, b, 0, 2);
        attempt("objects end", new String[2], 1, new String[2], 0, 2);
        attempt("zero at end", a, 10, a, 10, 0);
        Object[] objects = {"a", "b", 3, "d"};
        String[] strings = new String[4];
        attempt("partial", objects, 0, strings, 0, 4);
        System.out.println(Arrays.toString(strings));
        attempt("downcast", new Object[] {"x", null}, 0, strings, 2, 2);
        System.out.println(Arrays.toString(strings));
        attempt("upcast", strings, 0, objects, 0, 4);
        System.out.println(Arrays.toString(objects));
        int[][] rows = {{1}, {2}, {3}};
        System.arraycopy(rows, 0, rows, 1, 2);
        System.out.println(Arrays.deepToString(rows) + (rows[0] == rows[1]));
    }
}
