/**
 * A pipeline of stages with queues between them, and listeners who hear of everything that comes out at its
 * end. It is stopped from the outside, by a call that goes along the stages.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of stages (default 2), of listeners (default 1),
 * and of items (default 2).
 *
 * <p>To stop a queue is to say that nothing will be added any more. What has been added before must still be
 * worked on. In the broken version a stage that asks a stopped queue for the next item is told that there is
 * none, although some may be left. A checker finds a run in which a listener has not heard of all items and
 * the assertion fails.
 */
public class ListenerPipeline {
    private static final int NOTHING = -1;

    /** Items in order of arrival. */
    private static final class Queue {
        private final boolean broken;
        private final int[] items;
        private int added;
        private int taken;
        private boolean stopped;

        Queue(int most, boolean broken) {
            this.items = new int[most];
            this.broken = broken;
        }

        synchronized void add(int item) {
            assert !stopped : "item " + item + " after the stop";
            items[added] = item;
            added++;
            notifyAll();
        }

        synchronized void stop() {
            assert !stopped : "stopped twice";
            stopped = true;
            notifyAll();
        }

        /** The next item, or NOTHING if the queue was stopped and there is none. */
        synchronized int take() throws InterruptedException {
            while (added == taken && !stopped) {
                wait();
            }
            if (added == taken || broken && stopped) {
                return NOTHING;
            }
            int item = items[taken];
            taken++;
            return item;
        }
    }

    /** What came out of the pipeline; every listener reads all of it, at its own pace. */
    private static final class Results {
        private final int[] items;
        private int count;
        private boolean ended;

        Results(int most) {
            this.items = new int[most];
        }

        synchronized void publish(int item) {
            items[count] = item;
            count++;
            notifyAll();
        }

        synchronized void end() {
            ended = true;
            notifyAll();
        }

        /** Result number i, or NOTHING if there are no more. */
        synchronized int get(int i) throws InterruptedException {
            while (i == count && !ended) {
                wait();
            }
            return i < count ? items[i] : NOTHING;
        }
    }

    /** Adds one to every item; the last stage has no queue to pass it on to and publishes it. */
    private static final class Stage extends Thread {
        private final Queue in;
        private final Queue out;
        private final Results results;

        Stage(String name, Queue in, Queue out, Results results) {
            super(name);
            this.in = in;
            this.out = out;
            this.results = results;
        }

        @Override
        public void run() {
            try {
                for (int item = in.take(); item != NOTHING; item = in.take()) {
                    if (out != null) {
                        out.add(item + 1);
                    } else {
                        results.publish(item + 1);
                    }
                }
                if (out != null) {
                    out.stop();
                } else {
                    results.end();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class Listener extends Thread {
        private final Results results;
        private final int stages;
        private final int items;

        Listener(String name, Results results, int stages, int items) {
            super(name);
            this.results = results;
            this.stages = stages;
            this.items = items;
        }

        @Override
        public void run() {
            try {
                int heard = 0;
                for (int item = results.get(0); item != NOTHING; item = results.get(heard)) {
                    assert item == heard * 10 + stages : "heard " + item + " as number " + heard;
                    heard++;
                }
                assert heard == items : "heard of " + heard + " of " + items + " items";
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int stages = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int listeners = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        int items = args.length > 3 ? Integer.parseInt(args[3]) : 2;
        Results results = new Results(items);
        Queue first = new Queue(items, broken);
        Queue in = first;
        for (int i = 0; i < stages; i++) {
            Queue out = i == stages - 1 ? null : new Queue(items, broken);
            new Stage("stage " + i, in, out, results).start();
            in = out;
        }
        for (int i = 0; i < listeners; i++) {
            new Listener("listener " + i, results, stages, items).start();
        }
        for (int i = 0; i < items; i++) {
            first.add(i * 10);
        }
        first.stop();
    }
}
