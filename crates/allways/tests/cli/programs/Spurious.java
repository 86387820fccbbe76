import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class Spurious {
    static volatile boolean go;
    static final Object M = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Condition C = LOCK.newCondition();

    static void check() {
        if (!go) throw new IllegalStateException("too early");
    }

    static void doze() throws Exception {
        C.await();
    }

    static void waiter(String mode) throws Exception {
        switch (mode) {
            case "park" -> {
                LockSupport.park();
                check();
            }
            case "park-loop" -> {
                while (!go) LockSupport.park();
                check();
            }
            case "wait" -> {
                synchronized (M) {
                    if (!go) M.wait();
                    check();
                }
            }
            case "wait-loop" -> {
                synchronized (M) {
                    while (!go) M.wait();
                    check();
                }
            }
            case "rounds" -> {
                for (int i = 0; i < 2; i++) {
                    synchronized (M) {
                        if (!go) M.wait();
                        check();
                    }
                }
            }
            case "never" -> {
                synchronized (M) {
                    M.wait();
                }
            }
            case "await" -> {
                LOCK.lock();
                try {
                    if (!go) C.await();
                    check();
                } finally {
                    LOCK.unlock();
                }
            }
            case "await-loop" -> {
                LOCK.lock();
                try {
                    while (!go) doze();
                    check();
                } finally {
                    LOCK.unlock();
                }
            }
            case "await-nanos" -> {
                LOCK.lock();
                try {
                    if (!go && C.awaitNanos(1_000) > 0) check();
                } finally {
                    LOCK.unlock();
                }
            }
            case "await-time" -> {
                LOCK.lock();
                try {
                    if (!go && C.await(1, java.util.concurrent.TimeUnit.SECONDS)) check();
                } finally {
                    LOCK.unlock();
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        String mode = args[0];
        Thread thread = new Thread(() -> {
            try {
                waiter(mode);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }, "waiter");
        thread.start();
        if (mode.startsWith("never")) return;
        if (mode.startsWith("park")) {
            go = true;
            LockSupport.unpark(thread);
        } else if (mode.startsWith("await")) {
            LOCK.lock();
            go = true;
            C.signal();
            LOCK.unlock();
        } else {
            synchronized (M) {
                go = true;
                M.notify();
            }
        }
    }
}
