// expect: deadlock
// Three monitors entered in a circle by three threads.
public class DeadlockThree {
    static final Object[] LOCKS = {new Object(), new Object(), new Object()};

    static void both(int i) {
        synchronized (LOCKS[i]) {
            synchronized (LOCKS[(i + 1) % 3]) {
                LOCKS[i].notifyAll();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            int id = i;
            new Thread(() -> both(id)).start();
        }
    }
}
