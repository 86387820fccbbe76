/**
 * The sleeping barber: a barber sleeps when nobody is there, a customer wakes the barber, and leaves at once
 * if all chairs are taken.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of chairs (default 1), the number of customers
 * (default 2).
 *
 * <p>The broken barber looks whether a chair is taken, and goes to sleep in a second critical section without
 * looking again. A customer who comes in between wakes nobody and then waits for a barber who sleeps. A
 * checker finds the deadlock. The correct barber looks and falls asleep in one critical section.
 */
public class SleepingBarber {
    private final int chairs;
    private final boolean broken;
    private int waiting;
    private int called;
    private int done;
    private int served;
    private int refused;
    private boolean closed;

    SleepingBarber(int chairs, boolean broken) {
        this.chairs = chairs;
        this.broken = broken;
    }

    private synchronized boolean nobody() {
        return waiting == 0 && !closed;
    }

    private synchronized void sleep() throws InterruptedException {
        wait();
    }

    private synchronized void sleepWhileNobody() throws InterruptedException {
        while (nobody()) {
            wait();
        }
    }

    /** Calls the next customer to the barber's chair; false when the shop is closed and empty. */
    private synchronized boolean next() {
        if (waiting == 0) {
            return false;
        }
        waiting--;
        called++;
        notifyAll();
        return true;
    }

    private synchronized void finish() {
        done++;
        assert done == called : done + " done but " + called + " called";
        notifyAll();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    void barber() throws InterruptedException {
        while (true) {
            if (broken) {
                if (nobody()) {
                    sleep();
                }
            } else {
                sleepWhileNobody();
            }
            if (next()) {
                finish();
            } else if (isClosed()) {
                return;
            }
        }
    }

    synchronized void customer() throws InterruptedException {
        if (waiting == chairs) {
            refused++;
            return;
        }
        waiting++;
        int ticket = called + waiting;
        notifyAll();
        while (done < ticket) {
            wait();
        }
        served++;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int chairs = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int customers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        SleepingBarber shop = new SleepingBarber(chairs, broken);
        Thread barber = new Thread(() -> {
            try {
                shop.barber();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "barber");
        barber.start();
        Thread[] all = new Thread[customers];
        for (int i = 0; i < customers; i++) {
            all[i] = new Thread(() -> {
                try {
                    shop.customer();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "customer " + i);
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        shop.close();
        barber.join();
        assert shop.served == shop.done : shop.served + " served, " + shop.done + " done";
        assert shop.served + shop.refused == customers : shop.served + " served, " + shop.refused + " refused";
    }
}
