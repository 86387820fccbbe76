// expect: holds
// outcomes: 2
// A synchronized list takes two adds.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class SynchronizedList {
    static final List<Integer> LIST = Collections.synchronizedList(new ArrayList<>());

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> LIST.add(1));
        Thread b = new Thread(() -> LIST.add(2));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(LIST.size());
    }
}
