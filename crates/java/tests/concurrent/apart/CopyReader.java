// expect: holds
// outcomes: 0 0 0|0 0 1|0 1 1|1 0 0|1 0 1|1 1 0|1 1 1
/** Elements are copied in ascending or descending order: that in the middle is never the first. */
public class CopyReader {
    static final int[] from = {1, 1, 1};
    static final int[] v = new int[3];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            System.arraycopy(from, 0, v, 0, 3);
        });
        other.start();
        int middle = v[1];
        int first = v[0];
        int last = v[2];
        other.join();
        System.out.println(first + " " + middle + " " + last);
    }
}
