// expect: holds
// outcomes: false|true
import java.util.Arrays;

/** Arrays are equal, element by element, that never were equal. */
public class EqualsWriter {
    static final byte[] v = {0, 0};
    static final byte[] wanted = {1, 1};

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
