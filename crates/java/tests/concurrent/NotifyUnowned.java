// expect: exception java.lang.IllegalMonitorStateException
// notify without the monitor, while another thread holds it.
public class NotifyUnowned {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                LOCK.notify();
            }
        });
        a.start();
        LOCK.notify();
        a.join();
    }
}
