// java.util.concurrent.locks, used by one thread.
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

public class Locks {
    public static void main(String[] args) throws Exception {
        ReentrantLock l = new ReentrantLock();
        System.out.println(l.isLocked() + " " + l.tryLock() + " " + l.isHeldByCurrentThread() + " " + l.getHoldCount() + " " + l.isFair());
        l.lock();
        System.out.println(l.getHoldCount() + " " + l.hasQueuedThreads());
        l.unlock();
        l.unlock();
        System.out.println(l.isLocked());
        try {
            l.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held " + e.getMessage());
        }
        Condition c = l.newCondition();
        try {
            c.signal();
        } catch (IllegalMonitorStateException e) {
            System.out.println("signal not held");
        }
        l.lock();
        c.signalAll();
        System.out.println(c.await(1, TimeUnit.MILLISECONDS) + " " + l.getHoldCount() + " " + (c.awaitNanos(1) <= 0) + " " + l.hasWaiters(c));
        l.unlock();
        System.out.println(l.tryLock(1, TimeUnit.SECONDS) + " " + l.toString().contains("Locked by thread main"));
        l.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock(true);
        rw.readLock().lock();
        rw.readLock().lock();
        System.out.println(rw.getReadLockCount() + " " + rw.getReadHoldCount() + " " + rw.writeLock().tryLock() + " " + rw.isWriteLocked());
        rw.readLock().unlock();
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.getReadLockCount() + " " + rw.isWriteLocked() + " downgraded");
        rw.readLock().unlock();
        StampedLock s = new StampedLock();
        long o = s.tryOptimisticRead();
        System.out.println(s.validate(o) + " " + s.isWriteLocked());
        long w = s.writeLock();
        System.out.println(s.validate(o) + " " + s.isWriteLocked() + " " + s.tryReadLock() + " " + s.tryWriteLock());
        s.unlockWrite(w);
        long r = s.readLock();
        System.out.println(s.getReadLockCount() + " " + s.isReadLocked() + " " + s.tryWriteLock());
        long up = s.tryConvertToWriteLock(r);
        System.out.println((up != 0) + " " + s.isWriteLocked());
        long down = s.tryConvertToReadLock(up);
        System.out.println(s.isReadLocked() + " " + s.isWriteLocked());
        s.unlockRead(down);
        try {
            s.unlockRead(down);
        } catch (IllegalMonitorStateException e) {
            System.out.println("unlocked twice");
        }
    }
}
