// expect: holds
// outcomes: 0 0|1 0|1 1
import java.util.Arrays;

/** Elements are filled in ascending order: where the last one is written the first one is. */
public class FillBackwards {
    static final long[] v = new long[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            Arrays.fill(v, 1);
        });
        other.start();
        long last = v[1];
        long first = v[0];
        other.join();
        System.out.println(first + " " + last);
    }
}
