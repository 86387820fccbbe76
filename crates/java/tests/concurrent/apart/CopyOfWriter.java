// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.util.Arrays;

/** Arrays.copyOf reads element by element. */
public class CopyOfWriter {
    static final int[] v = new int[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = 1;
            v[1] = 1;
        });
        other.start();
        int[] copy = Arrays.copyOf(v, 3);
        other.join();
        System.out.println(copy[0] + " " + copy[1]);
    }
}
