// expect: holds
// outcomes: 1 2|1 3|2 2|2 3
/** Elements are moved to higher places of their own array, the last one first. */
public class CopyDown {
    static final int[] v = {1, 2, 3};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            System.arraycopy(v, 0, v, 1, 2);
        });
        other.start();
        int third = v[2];
        int second = v[1];
        other.join();
        System.out.println(second + " " + third);
    }
}
