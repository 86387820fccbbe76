// expect: holds
// outcomes: false|true
// A join with a time limit may end before the thread does.
public class JoinTimed {
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread a = new Thread(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
        });
        a.start();
        a.join(10);
        boolean alive = a.isAlive();
        a.join();
        System.out.println(alive);
    }
}
