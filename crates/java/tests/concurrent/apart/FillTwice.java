// expect: holds
// outcomes: 1 1|1 2|2 1|2 2
import java.util.Arrays;

/** Two threads fill one array: the last writer of each element wins. */
public class FillTwice {
    static final byte[] v = new byte[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            Arrays.fill(v, (byte) 1);
        });
        other.start();
        Arrays.fill(v, (byte) 2);
        other.join();
        System.out.println(v[0] + " " + v[1]);
    }
}
