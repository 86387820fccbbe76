// expect: holds
// outcomes: a a|a b|b a|b b
/** References are copied one by one. */
public class CopyObjects {
    static final String[] from = {"b", "b"};
    static final Object[] v = {"a", "a"};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            System.arraycopy(from, 0, v, 0, 2);
        });
        other.start();
        Object first = v[0];
        Object last = v[1];
        other.join();
        System.out.println(first + " " + last);
    }
}
