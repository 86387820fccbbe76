/**
 * The nested monitor problem: a thread that waits inside an inner monitor gives up that one only, and keeps
 * the outer one.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the capacity of the store (default 1), the number of producers
 * (default 1), of consumers (default 1), and of items for each producer (default 2).
 *
 * <p>A store is guarded by its own monitor and counts free places and items with semaphores, which are
 * monitors too. The broken version waits for a semaphore while it holds the store: nobody can enter the store
 * any more to release that semaphore. A checker finds the deadlock. The correct version takes the semaphore
 * first and enters the store after.
 */
public class NestedMonitor {
    private static final class Count {
        private int permits;

        Count(int permits) {
            this.permits = permits;
        }

        synchronized void down() throws InterruptedException {
            while (permits == 0) {
                wait();
            }
            permits--;
        }

        synchronized void up() {
            permits++;
            notify();
        }
    }

    private final int[] places;
    private int in;
    private int out;
    private final Count free;
    private final Count filled = new Count(0);

    NestedMonitor(int capacity) {
        places = new int[capacity];
        free = new Count(capacity);
    }

    void put(int item) throws InterruptedException {
        free.down();
        synchronized (this) {
            assert places[in] == 0 : "item " + places[in] + " is overwritten";
            places[in] = item;
            in = (in + 1) % places.length;
        }
        filled.up();
    }

    int take() throws InterruptedException {
        filled.down();
        int item;
        synchronized (this) {
            item = places[out];
            places[out] = 0;
            out = (out + 1) % places.length;
        }
        free.up();
        return item;
    }

    synchronized void brokenPut(int item) throws InterruptedException {
        free.down();
        places[in] = item;
        in = (in + 1) % places.length;
        filled.up();
    }

    synchronized int brokenTake() throws InterruptedException {
        filled.down();
        int item = places[out];
        out = (out + 1) % places.length;
        free.up();
        return item;
    }

    private static final class Consumer extends Thread {
        private final NestedMonitor store;
        private final boolean broken;
        private final int share;
        private final int perProducer;
        private final int[] last;
        int sum;

        Consumer(NestedMonitor store, boolean broken, int share, int producers, int perProducer) {
            this.store = store;
            this.broken = broken;
            this.share = share;
            this.perProducer = perProducer;
            this.last = new int[producers];
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < share; i++) {
                    int item = broken ? store.brokenTake() : store.take();
                    int producer = (item - 1) / perProducer;
                    assert item > last[producer] : "item " + item + " after " + last[producer];
                    last[producer] = item;
                    sum += item;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int capacity = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int producers = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        int consumers = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        int each = args.length > 4 ? Integer.parseInt(args[4]) : 2;
        NestedMonitor store = new NestedMonitor(capacity);
        for (int p = 0; p < producers; p++) {
            int from = p * each + 1;
            new Thread(() -> {
                try {
                    for (int item = from; item < from + each; item++) {
                        if (broken) {
                            store.brokenPut(item);
                        } else {
                            store.put(item);
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "producer " + p).start();
        }
        int total = producers * each;
        Consumer[] takers = new Consumer[consumers];
        for (int i = 0; i < consumers; i++) {
            int share = total / consumers + (i < total % consumers ? 1 : 0);
            takers[i] = new Consumer(store, broken, share, producers, each);
            takers[i].start();
        }
        int sum = 0;
        for (Consumer c : takers) {
            c.join();
            sum += c.sum;
        }
        assert sum == total * (total + 1) / 2 : "sum is " + sum;
    }
}
