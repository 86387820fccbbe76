// expect: holds
// outcomes: 0|1
// The assumption holds only after the other thread wrote; what it writes next may or may not be there by then.
import allways.Choose;

public class AssumeLater {
    static int x, z;

    public static void main(String[] args) {
        Thread a = new Thread(() -> {
            x = 1;
            z = 1;
        });
        a.start();
        Choose.assume(x == 1);
        System.out.print(z);
    }
}
