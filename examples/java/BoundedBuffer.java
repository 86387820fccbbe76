/**
 * A bounded buffer with {@code wait} and {@code notify}, several producers and consumers.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the capacity (default 1), the number of producers (default
 * 2), of consumers (default 1), and of items for each producer (default 2).
 *
 * <p>Producers and consumers wait on the same monitor. The broken version wakes one thread with {@code
 * notify}, which may be one of the wrong kind: a producer wakes a producer, which finds the buffer full and
 * waits again, while the consumer sleeps on. A checker finds the deadlock, if there are more producers and
 * consumers than twice the capacity. The correct version wakes all.
 */
public class BoundedBuffer {
    private final int[] items;
    private int first;
    private int count;
    private final boolean broken;

    BoundedBuffer(int capacity, boolean broken) {
        this.items = new int[capacity];
        this.broken = broken;
    }

    synchronized void put(int item) throws InterruptedException {
        while (count == items.length) {
            wait();
        }
        items[(first + count) % items.length] = item;
        count++;
        wake();
    }

    synchronized int take() throws InterruptedException {
        while (count == 0) {
            wait();
        }
        int item = items[first];
        first = (first + 1) % items.length;
        count--;
        wake();
        return item;
    }

    private void wake() {
        if (broken) {
            notify();
        } else {
            notifyAll();
        }
    }

    private static final class Producer extends Thread {
        private final BoundedBuffer buffer;
        private final int from;
        private final int to;

        Producer(BoundedBuffer buffer, int from, int to) {
            this.buffer = buffer;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            try {
                for (int item = from; item < to; item++) {
                    buffer.put(item);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class Consumer extends Thread {
        private final BoundedBuffer buffer;
        private final int share;
        private final int perProducer;
        private final int[] last;
        int sum;

        Consumer(BoundedBuffer buffer, int share, int producers, int perProducer) {
            this.buffer = buffer;
            this.share = share;
            this.perProducer = perProducer;
            this.last = new int[producers];
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < share; i++) {
                    int item = buffer.take();
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
        int producers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int consumers = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        int each = args.length > 4 ? Integer.parseInt(args[4]) : 2;
        BoundedBuffer buffer = new BoundedBuffer(capacity, broken);
        int total = producers * each;
        Consumer[] takers = new Consumer[consumers];
        for (int i = 0; i < consumers; i++) {
            takers[i] = new Consumer(buffer, total / consumers + (i < total % consumers ? 1 : 0), producers, each);
            takers[i].start();
        }
        for (int i = 0; i < producers; i++) {
            new Producer(buffer, i * each + 1, (i + 1) * each + 1).start();
        }
        int sum = 0;
        for (Consumer c : takers) {
            c.join();
            sum += c.sum;
        }
        assert sum == total * (total + 1) / 2 : "sum is " + sum;
    }
}
