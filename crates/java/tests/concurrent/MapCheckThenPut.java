// expect: assertion
// containsKey and put are two operations, even on a concurrent map.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapCheckThenPut {
    static final ConcurrentHashMap<String, String> MAP = new ConcurrentHashMap<>();
    static final AtomicInteger PUTS = new AtomicInteger();

    static void put() {
        if (!MAP.containsKey("key")) {
            MAP.put("key", "value");
            PUTS.incrementAndGet();
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> put());
        Thread b = new Thread(() -> put());
        a.start();
        b.start();
        a.join();
        b.join();
        assert PUTS.get() == 1 : PUTS + " puts";
    }
}
