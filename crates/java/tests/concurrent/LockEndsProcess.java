// expect: holds
// outcomes: |main
// The process ends in the middle of an acquire.
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

public class LockEndsProcess {
    static class Last extends AbstractQueuedSynchronizer {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean tryAcquire(int arg) {
            Runtime.getRuntime().halt(0);
            return true;
        }
    }

    public static void main(String[] args) {
        Last last = new Last();
        new Thread(() -> last.acquire(1)).start();
        System.out.println("main");
    }
}
