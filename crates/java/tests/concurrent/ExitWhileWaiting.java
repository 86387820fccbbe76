// expect: holds
// outcomes: exit
// System.exit ends a program whose other thread waits for ever.
public class ExitWhileWaiting {
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            synchronized (LOCK) {
                while (true) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }).start();
        System.out.println("exit");
        System.exit(0);
    }
}
