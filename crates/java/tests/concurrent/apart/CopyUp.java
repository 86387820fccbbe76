// expect: holds
// outcomes: 1 2|1 3|2 2|2 3
/** Elements are moved to lower places of their own array, the first one first. */
public class CopyUp {
    static final short[] v = {1, 2, 3};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            System.arraycopy(v, 1, v, 0, 2);
        });
        other.start();
        int first = v[0];
        int second = v[1];
        other.join();
        System.out.println(first + " " + second);
    }
}
