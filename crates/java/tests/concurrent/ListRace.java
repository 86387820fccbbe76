// expect: exception java.util.ConcurrentModificationException
// A list is changed while another thread iterates over it.
import java.util.ArrayList;
import java.util.List;

public class ListRace {
    static final List<Integer> LIST = new ArrayList<>(List.of(1));

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> LIST.add(2));
        a.start();
        int sum = 0;
        for (int i : LIST) {
            sum += i;
        }
        a.join();
        assert sum == 1 || sum == 3;
    }
}
