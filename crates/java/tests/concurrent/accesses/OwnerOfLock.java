// expect: holds
// outcomes: free|held|taken
import java.util.concurrent.locks.ReentrantLock;

/** A lock that tells its owner: between taking the lock and writing down the owner there is a moment without one. */
public class OwnerOfLock extends ReentrantLock {
    static final OwnerOfLock lock = new OwnerOfLock();

    public static void main(String[] args) throws InterruptedException {
        Thread holder = new Thread(lock::lock);
        holder.start();
        boolean isLocked = lock.isLocked();
        boolean hasOwner = lock.getOwner() != null;
        System.out.println(!isLocked ? "free" : hasOwner ? "held" : "taken");
        holder.join();
    }
}
