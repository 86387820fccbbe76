// expect: holds
// outcomes: 2
// merge counts for two threads.
import java.util.concurrent.ConcurrentHashMap;

public class MapMerge {
    static final ConcurrentHashMap<String, Integer> MAP = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> MAP.merge("key", 1, Integer::sum));
        Thread b = new Thread(() -> MAP.merge("key", 1, Integer::sum));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(MAP.get("key"));
    }
}
