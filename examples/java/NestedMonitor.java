/**
 * The nested monitor problem: a thread that waits inside an inner monitor gives up that one only, and keeps
 * the outer one.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the capacity of the store (default 1), the number of items
 * (default 2).
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

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int capacity = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int items = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        NestedMonitor store = new NestedMonitor(capacity);
        Thread producer = new Thread(() -> {
            try {
                for (int i = 1; i <= items; i++) {
                    if (broken) {
                        store.brokenPut(i);
                    } else {
                        store.put(i);
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        for (int i = 1; i <= items; i++) {
            int item = broken ? store.brokenTake() : store.take();
            assert item == i : "item " + item + " as number " + i;
        }
        producer.join();
    }
}
