// Messages of index, size and store errors on arrays of all types.
public class ArrayErrors {
    interface Action {
        void run() throws Exception;
    }

    static void show(String what, Action action) {
        try {
            action.run();
            System.out.println(what + ": fine");
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        boolean[] z = new boolean[1];
        byte[] b = new byte[2];
        short[] s = new short[3];
        char[] c = new char[4];
        int[] i = new int[5];
        long[] l = new long[6];
        float[] f = new float[7];
        double[] d = new double[8];
        String[] t = new String[9];
        show("boolean load", () -> System.out.println(z[1]));
        show("boolean store", () -> z[-1] = true);
        show("byte load", () -> System.out.println(b[2]));
        show("byte store", () -> b[100] = 1);
        show("short load", () -> System.out.println(s[3]));
        show("short store", () -> s[Integer.MAX_VALUE] = 1);
        show("char load", () -> System.out.println(c[4]));
        show("char store", () -> c[Integer.MIN_VALUE] = 'x');
        show("int load", () -> System.out.println(i[5]));
        show("int store", () -> i[-5] = 1);
        show("long load", () -> System.out.println(l[6]));
        show("long store", () -> l[7] = 1);
        show("float load", () -> System.out.println(f[7]));
        show("float store", () -> f[8] = 1);
        show("double load", () -> System.out.println(d[8]));
        show("double store", () -> d[-2] = 1);
        show("reference load", () -> System.out.println(t[9]));
        show("reference store", () -> t[10] = "");
        show("empty", () -> System.out.println(new int[0][0].length + new int[0][0][0].length));
        show("good", () -> i[4] = 1);
        show("negative int", () -> System.out.println(new int[-1].length));
        show("negative object", () -> System.out.println(new String[Integer.MIN_VALUE].length));
        show("negative multi", () -> System.out.println(new String[2][-3].length));
        show("string index", () -> "abc".charAt(3));
        show("string negative", () -> "abc".charAt(-1));
        show("substring", () -> "abc".substring(2, 1));
        show("substring end", () -> "abc".substring(1, 9));
        show("builder", () -> new StringBuilder("ab").charAt(5));
        show("builder delete", () -> new StringBuilder("ab").deleteCharAt(2));
        show("list", () -> new java.util.ArrayList<>().get(0));
        show("list of", () -> java.util.List.of(1, 2).get(2));
        show("sublist", () -> new java.util.ArrayList<>(java.util.List.of(1, 2)).subList(1, 5));
        show("array list", () -> java.util.Arrays.asList(1, 2).get(-1));
        show("checkIndex", () -> java.util.Objects.checkIndex(7, 3));
    }
}
