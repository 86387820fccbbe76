// expect: assertion
// Unsynchronised lazy creation: two threads may get two objects.
public class LazyRace {
    static Object instance;

    static Object get() {
        if (instance == null) {
            instance = new Object();
        }
        return instance;
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
        assert first == second : "two instances";
    }
}
