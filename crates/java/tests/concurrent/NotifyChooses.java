// expect: holds
// outcomes: ab|ba
// Which of two waiting threads is woken first is open.
public class NotifyChooses {
    static final Object LOCK = new Object();
    static int waiting;
    static String order = "";

    static void await(String name) {
        synchronized (LOCK) {
            waiting++;
            try {
                LOCK.wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            order += name;
        }
    }

    static boolean bothWait() {
        synchronized (LOCK) {
            return waiting == 2;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> await("a"));
        Thread b = new Thread(() -> await("b"));
        a.start();
        b.start();
        while (!bothWait()) {
            Thread.yield();
        }
        for (int i = 0; i < 2; i++) {
            synchronized (LOCK) {
                LOCK.notify();
            }
        }
        a.join();
        b.join();
        System.out.println(order);
    }
}
