// expect: deadlock
// A buffer of one place, two producers and two consumers, woken by notify alone: one of the wrong kind may be woken, and all wait.
public class NotifyIsTooLittle {
    static final int PLACES = 1;
    static int count;

    static synchronized void put() throws InterruptedException {
        while (count == PLACES) {
            NotifyIsTooLittle.class.wait();
        }
        count++;
        NotifyIsTooLittle.class.notify();
    }

    static synchronized void take() throws InterruptedException {
        while (count == 0) {
            NotifyIsTooLittle.class.wait();
        }
        count--;
        NotifyIsTooLittle.class.notify();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) {
            boolean produces = i < 2;
            new Thread(() -> {
                try {
                    while (true) {
                        if (produces) {
                            put();
                        } else {
                            take();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }).start();
        }
    }
}
