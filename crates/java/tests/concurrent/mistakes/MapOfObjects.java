// expect: holds
// outcomes: 2
// Two threads put objects of their own into a ConcurrentHashMap.
import java.util.concurrent.ConcurrentHashMap;

public class MapOfObjects {
    static final ConcurrentHashMap<String, int[]> MAP = new ConcurrentHashMap<>();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> MAP.put("a", new int[] {1}));
        a.start();
        MAP.put("b", new int[] {2});
        a.join();
        System.out.println(MAP.size());
    }
}
