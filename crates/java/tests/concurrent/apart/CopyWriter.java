// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
/** An array is written while it is copied. */
public class CopyWriter {
    static final char[] from = {'0', '0'};
    static final char[] v = new char[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            System.arraycopy(from, 0, v, 0, 2);
        });
        other.start();
        from[0] = '1';
        from[1] = '1';
        other.join();
        System.out.println(v[0] + " " + v[1]);
    }
}
