// expect: holds
// outcomes: 1
// An exception leaves a monitor and gives it free.
public class SyncException {
    static int caught;

    static synchronized void fail() {
        throw new IllegalStateException();
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                fail();
            } catch (IllegalStateException e) {
                caught++;
            }
        });
        a.start();
        synchronized (SyncException.class) {
            assert caught <= 1;
        }
        a.join();
        System.out.println(caught);
    }
}
