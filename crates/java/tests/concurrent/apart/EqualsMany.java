// expect: holds
// outcomes: false|true
import java.util.Arrays;

/** The same for arrays whose elements the class library compares many at a time. */
public class EqualsMany {
    static final long[] v = {0, 1, 0};
    static final long[] wanted = {1, 1, 1};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = 1;
            v[0] = 0;
            v[2] = 1;
        });
        other.start();
        boolean equal = Arrays.equals(v, wanted);
        other.join();
        System.out.println(equal);
    }
}
