import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Replicated workers: equal workers take tasks from a common bag, may put new ones into it, and end when all
 * work is done.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of workers (default 2), the size of the work
 * (default 3).
 *
 * <p>A task is a range of numbers to be summed up; a worker splits a range in two until it has a single
 * number. Work is done when the bag is empty and no worker is busy, since a busy one may bring more. The
 * broken version takes a task out of the bag and only then, in a second critical section, counts itself as
 * busy: in between another worker sees an empty bag and nobody busy, and goes home too early. A checker finds
 * the run in which the assertion fails.
 */
public class ReplicatedWorkers {
    private final Deque<int[]> bag = new ArrayDeque<>();
    private final boolean broken;
    private final int size;
    private int busy;
    private int sum;
    private int summed;

    ReplicatedWorkers(boolean broken, int size) {
        this.broken = broken;
        this.size = size;
        bag.push(new int[] {1, size});
    }

    /** The next task, or null when all work is done. */
    private synchronized int[] take() throws InterruptedException {
        while (bag.isEmpty() && busy > 0) {
            wait();
        }
        if (bag.isEmpty()) {
            return null;
        }
        if (!broken) {
            busy++;
        }
        return bag.pop();
    }

    private synchronized void markBusy() {
        busy++;
    }

    private synchronized void finish(int[] left, int[] right, int number) {
        if (left != null) {
            bag.push(left);
            bag.push(right);
        } else {
            sum += number;
            summed++;
        }
        busy--;
        notifyAll();
    }

    private synchronized void goHome() {
        assert summed == size : "a worker goes home after " + summed + " of " + size;
    }

    void work() throws InterruptedException {
        for (int[] task = take(); task != null; task = take()) {
            if (broken) {
                markBusy();
            }
            if (task[0] == task[1]) {
                finish(null, null, task[0]);
            } else {
                int middle = (task[0] + task[1]) / 2;
                finish(new int[] {task[0], middle}, new int[] {middle + 1, task[1]}, 0);
            }
        }
        goHome();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int workers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int size = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        ReplicatedWorkers pool = new ReplicatedWorkers(broken, size);
        Thread[] all = new Thread[workers];
        for (int i = 0; i < workers; i++) {
            all[i] = new Thread(() -> {
                try {
                    pool.work();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "worker " + i);
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        assert pool.sum == size * (size + 1) / 2 : "sum is " + pool.sum;
    }
}
