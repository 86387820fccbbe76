// expect: holds
// outcomes: 2
// Two monitors entered in the same order.
public class LockOrder {
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
        Thread b = new Thread(() -> both(LEFT, RIGHT));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(count);
    }
}
