// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.util.Arrays;

/** Arrays.copyOfRange reads element by element. */
public class CopyOfRangeWriter {
    static final byte[] v = new byte[3];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[1] = 1;
            v[2] = 1;
        });
        other.start();
        byte[] copy = Arrays.copyOfRange(v, 1, 3);
        other.join();
        System.out.println(copy[0] + " " + copy[1]);
    }
}
