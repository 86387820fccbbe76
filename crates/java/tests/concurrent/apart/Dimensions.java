// expect: holds
// outcomes: 1 1|1 2|2 1|2 2
import java.lang.reflect.Array;

/** The lengths of an array of arrays are read one by one. */
public class Dimensions {
    static final int[] v = {1, 1};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = 2;
            v[1] = 2;
        });
        other.start();
        int[][] made = (int[][]) Array.newInstance(int.class, v);
        other.join();
        System.out.println(made.length + " " + made[0].length);
    }
}
