// The interrupt flag, used by one thread on itself and on threads that have not begun or have ended.
import java.util.concurrent.locks.LockSupport;

public class ThreadInterrupts {
    public static void main(String[] args) throws Exception {
        Thread me = Thread.currentThread();
        System.out.println(me.isInterrupted() + " " + Thread.interrupted());
        me.interrupt();
        System.out.println(me.isInterrupted() + " " + me.isInterrupted() + " " + Thread.interrupted() + " " + Thread.interrupted());
        me.interrupt();
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            System.out.println("sleep " + e.getMessage() + " " + me.isInterrupted());
        }
        me.interrupt();
        Object lock = new Object();
        try {
            synchronized (lock) {
                lock.wait();
            }
        } catch (InterruptedException e) {
            System.out.println("wait " + e.getMessage() + " " + me.isInterrupted());
        }
        me.interrupt();
        java.util.concurrent.CountDownLatch gate = new java.util.concurrent.CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                System.out.println("not this one");
            }
        });
        other.start();
        try {
            other.join();
            System.out.println("joined");
        } catch (InterruptedException e) {
            System.out.println("join interrupted " + me.isInterrupted());
            gate.countDown();
            other.join();
        }
        me.interrupt();
        LockSupport.park();
        System.out.println("park returned " + Thread.interrupted());
        LockSupport.unpark(me);
        LockSupport.park();
        System.out.println("permit used");
        Thread fresh = new Thread(() -> System.out.println("fresh sees " + Thread.interrupted()));
        fresh.interrupt();
        System.out.println(fresh.isInterrupted());
        other.interrupt();
        System.out.println(other.isInterrupted());
        Thread self = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                Thread.sleep(5);
                System.out.println("slept");
            } catch (InterruptedException e) {
                System.out.println("self " + Thread.currentThread().isInterrupted());
            }
        });
        self.start();
        self.join();
        me.interrupt();
        try {
            new java.util.concurrent.Semaphore(1).acquire();
        } catch (InterruptedException e) {
            System.out.println("acquire interrupted");
        }
        me.interrupt();
        try {
            new java.util.concurrent.locks.ReentrantLock().lockInterruptibly();
        } catch (InterruptedException e) {
            System.out.println("lock interrupted");
        }
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
