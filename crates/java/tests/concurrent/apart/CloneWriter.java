// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
/** A clone can have a late element and an earlier one from before: elements are read in ascending order. */
public class CloneWriter {
    static final int[] v = new int[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = 1;
            v[1] = 1;
        });
        other.start();
        int[] copy = v.clone();
        other.join();
        System.out.println(copy[0] + " " + copy[1]);
    }
}
