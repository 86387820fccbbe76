// expect: holds
// outcomes: a|b
// putIfAbsent: one thread wins.
import java.util.concurrent.ConcurrentHashMap;

public class MapPutIfAbsent {
    static final ConcurrentHashMap<String, String> MAP = new ConcurrentHashMap<>();
    static String oldA;
    static String oldB;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> oldA = MAP.putIfAbsent("key", "a"));
        Thread b = new Thread(() -> oldB = MAP.putIfAbsent("key", "b"));
        a.start();
        b.start();
        a.join();
        b.join();

        assert (oldA == null) != (oldB == null);
        System.out.println(MAP.get("key"));
    }
}
