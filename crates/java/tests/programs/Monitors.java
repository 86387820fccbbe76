// synchronized by one thread: nesting, methods, static methods, release on exceptions, misuse.
public class Monitors {
    private int count;
    private static int total;

    synchronized void add(int n) {
        count += n;
        if (n > 1) {
            add(n - 1);
        }
    }

    static synchronized int addAll(int n) {
        total += n;
        return Thread.holdsLock(Monitors.class) ? total : -1;
    }

    synchronized void fail() {
        throw new IllegalStateException("inside");
    }

    synchronized int early(boolean b) {
        if (b) {
            return 1;
        }
        return 2;
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " fine");
        } catch (IllegalMonitorStateException e) {
            System.out.println(what + " " + e.getMessage());
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Monitors m = new Monitors();
        m.add(4);
        System.out.println(m.count + " " + addAll(5) + " " + Thread.holdsLock(m) + " " + m.early(true) + m.early(false));
        try {
            m.fail();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(m));
        }
        Object lock = new Object();
        synchronized (lock) {
            synchronized (lock) {
                synchronized (m) {
                    System.out.println(Thread.holdsLock(lock) + " " + Thread.holdsLock(m));
                }
                System.out.println(Thread.holdsLock(lock) + " " + Thread.holdsLock(m));
            }
        }
        out:
        for (int i = 0; i < 3; i++) {
            synchronized (lock) {
                if (i == 1) {
                    break out;
                }
            }
        }
        System.out.println(Thread.holdsLock(lock));
        attempt("notify", lock::notify);
        attempt("notifyAll", lock::notifyAll);
        attempt("wait", () -> {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        attempt("notify inside", () -> {
            synchronized (lock) {
                lock.notify();
                lock.notifyAll();
            }
        });
        synchronized (lock) {
            lock.wait(1);
            lock.wait(0, 1);
        }
        try {
            synchronized (lock) {
                lock.wait(-1);
            }
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        synchronized (new int[0]) {
            System.out.println("array as lock");
        }
        synchronized (Monitors.class) {
            System.out.println(addAll(1));
        }
        Thread other = new Thread(() -> {
            synchronized (lock) {
                System.out.println("other has the lock");
            }
        });
        other.start();
        other.join();
    }
}
