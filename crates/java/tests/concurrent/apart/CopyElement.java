// expect: holds
// outcomes: 0|1|2
/** To copy an element is to read it and then to write it. */
public class CopyElement {
    static final double[] from = new double[1];
    static final double[] v = new double[1];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            System.arraycopy(from, 0, v, 0, 1);
        });
        other.start();
        from[0] = 1;
        v[0] = 2;
        other.join();
        System.out.println((int) v[0]);
    }
}
