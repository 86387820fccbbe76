// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
/** Or in descending order. */
public class CloneBackwards {
    static final boolean[] v = new boolean[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[1] = true;
            v[0] = true;
        });
        other.start();
        boolean[] copy = v.clone();
        other.join();
        System.out.println((copy[0] ? 1 : 0) + " " + (copy[1] ? 1 : 0));
    }
}
