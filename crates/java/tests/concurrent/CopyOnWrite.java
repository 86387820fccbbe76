// expect: holds
// outcomes: a|ab
// An iterator over a copy-on-write list sees the list as it was.
import java.util.concurrent.CopyOnWriteArrayList;

public class CopyOnWrite {
    static final CopyOnWriteArrayList<String> LIST = new CopyOnWriteArrayList<>(new String[] {"a"});

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> LIST.add("b"));
        t.start();
        StringBuilder seen = new StringBuilder();
        for (String s : LIST) {
            seen.append(s);
        }
        t.join();
        assert LIST.size() == 2;
        System.out.println(seen);
    }
}
