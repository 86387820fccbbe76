// expect: deadlock
// Two monitors entered in opposite order.
public class DeadlockTwo {
    static final Object LEFT = new Object();
    static final Object RIGHT = new Object();
    static int count;

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
                count++;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> both(LEFT, RIGHT));
        Thread b = new Thread(() -> both(RIGHT, LEFT));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
