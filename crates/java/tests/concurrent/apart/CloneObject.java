// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
/** The fields of an object are copied one by one. */
public class CloneObject implements Cloneable {
    int a, b;
    final long c = 7;
    static final CloneObject v = new CloneObject();

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v.a = 1;
            v.b = 1;
        });
        other.start();
        CloneObject copy = (CloneObject) v.clone();
        if (copy.c != 7 || copy == v) {
            throw new AssertionError();
        }
        other.join();
        System.out.println(copy.a + " " + copy.b);
    }
}
