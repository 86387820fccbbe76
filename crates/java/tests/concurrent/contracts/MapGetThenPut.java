// expect: assertion
// ConcurrentHashMap used wrongly: get and put are two operations, and a count is lost between them.
import java.util.concurrent.ConcurrentHashMap;

public class MapGetThenPut {
    static final ConcurrentHashMap<String, Integer> COUNTS = new ConcurrentHashMap<>();

    static void count() {
        COUNTS.put("key", COUNTS.get("key") + 1);
    }

    public static void main(String[] args) throws Exception {
        COUNTS.put("key", 0);
        Thread a = new Thread(() -> count());
        a.start();
        count();
        a.join();
        assert COUNTS.get("key") == 2;
    }
}
