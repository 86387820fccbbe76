// expect: exception java.lang.IllegalStateException
// What is written before an assumption fails can be seen before it fails.
import allways.Choose;

public class AssumeAfterWrite {
    static int x;

    public static void main(String[] args) {
        Thread a = new Thread(() -> {
            if (x == 1) {
                throw new IllegalStateException("seen");
            }
        });
        a.start();
        x = 1;
        Choose.assume(false);
    }
}
