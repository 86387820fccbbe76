/**
 * A bounded buffer of objects that the producers allocate: states that differ only in the order in which
 * threads allocated are one where objects are numbered as they are reached, and many where they are numbered
 * as they are made.
 *
 * <p>Arguments: the capacity (default 2), the number of producers (default 2), of consumers (default 2), and of
 * items for each producer (default 3). There is nothing to be found.
 *
 * <p>Each item is an object, allocated before its producer enters the buffer and dropped by the consumer who
 * took it.
 */
public class SymmetricBuffer {
    private static final class Item {
        final int producer;
        final int number;

        Item(int producer, int number) {
            this.producer = producer;
            this.number = number;
        }
    }

    private final Item[] places;
    private int first;
    private int count;

    SymmetricBuffer(int capacity) {
        places = new Item[capacity];
    }

    synchronized void put(Item item) throws InterruptedException {
        while (count == places.length) {
            wait();
        }
        places[(first + count) % places.length] = item;
        count++;
        notifyAll();
    }

    synchronized Item take() throws InterruptedException {
        while (count == 0) {
            wait();
        }
        Item item = places[first];
        places[first] = null;
        first = (first + 1) % places.length;
        count--;
        notifyAll();
        return item;
    }

    public static void main(String[] args) {
        int capacity = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int producers = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int consumers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int each = args.length > 3 ? Integer.parseInt(args[3]) : 3;
        SymmetricBuffer buffer = new SymmetricBuffer(capacity);
        for (int p = 0; p < producers; p++) {
            int me = p;
            new Thread(() -> {
                try {
                    for (int i = 0; i < each; i++) {
                        buffer.put(new Item(me, i));
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }).start();
        }
        int total = producers * each;
        for (int c = 0; c < consumers; c++) {
            int share = total / consumers + (c < total % consumers ? 1 : 0);
            new Thread(() -> {
                try {
                    int[] next = new int[producers];
                    for (int i = 0; i < share; i++) {
                        Item item = buffer.take();
                        assert item.number >= next[item.producer] : "item " + item.number + " comes late";
                        next[item.producer] = item.number + 1;
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }).start();
        }
    }
}
