/**
 * Two threads take two locks in opposite order.
 *
 * <p>Most runs end well; a checker finds the one in which each thread holds the lock that the other one
 * needs.
 */
public class Deadlock {
    private static final Object LEFT = new Object();
    private static final Object RIGHT = new Object();

    public static void main(String[] args) {
        new Thread(() -> both(LEFT, RIGHT)).start();
        new Thread(() -> both(RIGHT, LEFT)).start();
    }

    private static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) {
                System.out.println("both locks held");
            }
        }
    }
}
