/**
 * Sleeping barbers: a barber sleeps when nobody is there, a customer wakes the barbers, and leaves at once if
 * all chairs are taken.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of chairs (default 1), of customers (default 2),
 * and of barbers (default 1).
 *
 * <p>The broken barber looks whether a chair is taken, and goes to sleep in a second critical section without
 * looking again. A customer who comes in between wakes nobody and then waits for a barber who sleeps. A
 * checker finds the deadlock. The correct barber looks and falls asleep in one critical section.
 */
public class SleepingBarber {
    private final int chairs;
    private final int barbers;
    private final boolean broken;
    /** Customers are numbered in the order in which they sit down, and are called in that order. */
    private int seated;
    private int called;
    private final boolean[] finished;
    private int cutting;
    private int done;
    private int served;
    private int refused;
    private boolean closed;

    SleepingBarber(int chairs, int customers, int barbers, boolean broken) {
        this.chairs = chairs;
        this.barbers = barbers;
        this.broken = broken;
        this.finished = new boolean[customers];
    }

    private synchronized boolean nobody() {
        return seated == called && !closed;
    }

    private synchronized void sleep() throws InterruptedException {
        wait();
    }

    private synchronized void sleepWhileNobody() throws InterruptedException {
        while (nobody()) {
            wait();
        }
    }

    /** Calls the next customer to the barber's chair, by number; -1 if nobody waits. */
    private synchronized int next() {
        if (seated == called) {
            return -1;
        }
        cutting++;
        assert cutting <= barbers : cutting + " at the barbers' chairs";
        int customer = called;
        called++;
        return customer;
    }

    private synchronized void finish(int customer) {
        assert !finished[customer] : "customer " + customer + " is served twice";
        finished[customer] = true;
        cutting--;
        done++;
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
            int customer = next();
            if (customer >= 0) {
                finish(customer);
            } else if (isClosed()) {
                return;
            }
        }
    }

    synchronized void customer() throws InterruptedException {
        if (seated - called == chairs) {
            refused++;
            return;
        }
        int number = seated;
        seated++;
        notifyAll();
        while (!finished[number]) {
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
        int barbers = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        SleepingBarber shop = new SleepingBarber(chairs, customers, barbers, broken);
        Thread[] working = new Thread[barbers];
        for (int i = 0; i < barbers; i++) {
            working[i] = new Thread(() -> {
                try {
                    shop.barber();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "barber " + i);
            working[i].start();
        }
        Thread[] visiting = new Thread[customers];
        for (int i = 0; i < customers; i++) {
            visiting[i] = new Thread(() -> {
                try {
                    shop.customer();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "customer " + i);
            visiting[i].start();
        }
        for (Thread t : visiting) {
            t.join();
        }
        shop.close();
        for (Thread t : working) {
            t.join();
        }
        assert shop.served == shop.done : shop.served + " served, " + shop.done + " done";
        assert shop.served + shop.refused == customers : shop.served + " served, " + shop.refused + " refused";
    }
}
