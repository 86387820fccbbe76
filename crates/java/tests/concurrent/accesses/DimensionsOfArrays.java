// expect: holds
// outcomes: 1|2|3
import java.lang.reflect.Array;

/** Making arrays of arrays by reflection reads their lengths from an array, which another thread writes twice in a row. */
public class DimensionsOfArrays {
    static final int[] lengths = {1, 1};

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            lengths[0] = 2;
            lengths[0] = 3;
        });
        writer.start();
        int[][] made = (int[][]) Array.newInstance(int.class, lengths);
        writer.join();
        System.out.println(made.length);
    }
}
