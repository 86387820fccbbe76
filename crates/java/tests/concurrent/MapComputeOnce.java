// expect: holds
// outcomes: 1
// computeIfAbsent computes once for two threads.
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

public class MapComputeOnce {
    static final ConcurrentHashMap<String, Object> MAP = new ConcurrentHashMap<>();
    static final AtomicInteger CALLS = new AtomicInteger();
    static Object first;
    static Object second;

    static Object get() {
        return MAP.computeIfAbsent("key", k -> {
            CALLS.incrementAndGet();
            return new Object();
        });
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> first = get());
        Thread b = new Thread(() -> second = get());
        a.start();
        b.start();
        a.join();
        b.join();

        assert first == second && first != null;
        System.out.println(CALLS);
    }
}
