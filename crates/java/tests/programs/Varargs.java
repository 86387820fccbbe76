// Variable arguments: none, one, many, null, arrays, primitive, overload preference.
public class Varargs {
    static String ints(int... v) {
        return v.length + (v.length > 0 ? ":" + v[v.length - 1] : "");
    }

    static String objects(Object... v) {
        return v == null ? "null" : "" + v.length;
    }

    static String mixed(String first, long... rest) {
        long s = 0;
        for (long l : rest) {
            s += l;
        }
        return first + s;
    }

    static String pick(int a) {
        return "int";
    }

    static String pick(long a) {
        return "long";
    }

    static String pick(Integer a) {
        return "Integer";
    }

    static String pick(Object a) {
        return "Object";
    }

    static String pick(int... a) {
        return "int...";
    }

    @SafeVarargs
    static <T> T last(T... all) {
        return all[all.length - 1];
    }

    @SafeVarargs
    static <T> String type(T... all) {
        return all.getClass().getSimpleName();
    }

    public static void main(String... args) {
        System.out.println(ints() + " " + ints(1) + " " + ints(1, 2, 3) + " " + ints(new int[] {7, 8}));
        System.out.println(objects() + " " + objects((Object) null) + " " + objects((Object[]) null) + " " + objects("a", 1, 'c')
            + " " + objects(new Object[] {1, 2}) + " " + objects(new int[] {1, 2}) + " " + objects((Object) new Object[3])
            + " " + objects(new String[] {"x", "y", "z"}));
        System.out.println(mixed("s") + " " + mixed("s", 1, 2, 3) + " " + mixed("s", 'a', (byte) 1));
        byte b = 1;
        System.out.println(pick(1) + " " + pick(1L) + " " + pick(b) + " " + pick('c') + " " + pick(1.5) + " " + pick(Integer.valueOf(1))
            + " " + pick() + " " + pick(1, 2) + " " + pick("s"));
        System.out.println(last(1, 2, 3) + last("a", "b") + type(1, 2) + type("a") + type(1, "a").length());
        System.out.println(String.join("-", "a", "b", "c") + String.join("-"));
    }
}
