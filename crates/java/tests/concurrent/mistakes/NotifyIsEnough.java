// expect: holds
// A buffer of two places, two producers and two consumers, woken by notify alone. With no more threads than twice the places, some thread
// that is woken can always go on: there is no deadlock. (With one place there is one.)
public class NotifyIsEnough {
    static final int PLACES = 2;
    static int count;

    static synchronized void put() throws InterruptedException {
        while (count == PLACES) {
            NotifyIsEnough.class.wait();
        }
        count++;
        NotifyIsEnough.class.notify();
    }

    static synchronized void take() throws InterruptedException {
        while (count == 0) {
            NotifyIsEnough.class.wait();
        }
        count--;
        NotifyIsEnough.class.notify();
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
