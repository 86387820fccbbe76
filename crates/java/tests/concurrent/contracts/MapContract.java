// expect: holds
// outcomes: a2|b2
// ConcurrentHashMap: a missing value is computed once, both threads get it, and no merge is lost.
import java.util.concurrent.ConcurrentHashMap;

public class MapContract {
    static final ConcurrentHashMap<String, Object> MAP = new ConcurrentHashMap<>();
    static final ConcurrentHashMap<String, Integer> COUNTS = new ConcurrentHashMap<>();
    static String computed = "";
    static Object got;

    static Object ask(String name) {
        Object value = MAP.computeIfAbsent("key", key -> {
            computed += name;
            return new Object();
        });
        COUNTS.merge("asked", 1, Integer::sum);
        return value;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> got = ask("a"));
        a.start();
        Object mine = ask("b");
        a.join();
        assert got == mine;
        assert MAP.size() == 1;
        System.out.println(computed + COUNTS.get("asked"));
    }
}
