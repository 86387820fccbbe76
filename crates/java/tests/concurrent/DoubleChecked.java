// expect: holds
// outcomes: 1
// Double-checked creation with a volatile field: one object.
public class DoubleChecked {
    static volatile Object instance;
    static int made;

    static Object get() {
        Object o = instance;
        if (o == null) {
            synchronized (DoubleChecked.class) {
                o = instance;
                if (o == null) {
                    made++;
                    o = new Object();
                    instance = o;
                }
            }
        }
        return o;
    }

    static Object first;
    static Object second;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> first = get());
        Thread b = new Thread(() -> second = get());
        a.start();
        b.start();
        a.join();
        b.join();

        assert first == second && first != null;
        System.out.println(made);
    }
}
