// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.util.Arrays;

/** The first element is written and the last one is not yet. */
public class FillReader {
    static final int[] v = new int[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            Arrays.fill(v, 1);
        });
        other.start();
        int first = v[0];
        int last = v[1];
        other.join();
        System.out.println(first + " " + last);
    }
}
