// expect: holds
// outcomes: false|true
import java.util.Arrays;

/** The same for elements of 4 bytes. */
public class EqualsInts {
    static final int[] v = {0, 0};
    static final int[] wanted = {1, 1};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = 1;
            v[0] = 0;
            v[1] = 1;
        });
        other.start();
        boolean equal = Arrays.equals(v, wanted);
        other.join();
        System.out.println(equal);
    }
}
