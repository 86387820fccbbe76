/**
 * A pipeline of stages joined by one-place channels: each stage adds one to what it gets and passes it on,
 * the last one checks.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of stages (default 2), the number of items
 * (default 2).
 *
 * <p>In the broken version a channel does not wait until its place is free: a fast sender overwrites an item
 * that nobody has taken yet. A checker finds a run in which an item is missing at the end and the assertion
 * fails.
 */
public class Pipeline {
    private static final int END = -1;

    private static final class Channel {
        private final boolean broken;
        private boolean full;
        private int item;

        Channel(boolean broken) {
            this.broken = broken;
        }

        synchronized void send(int value) throws InterruptedException {
            while (full && !broken) {
                wait();
            }
            item = value;
            full = true;
            notifyAll();
        }

        synchronized int receive() throws InterruptedException {
            while (!full) {
                wait();
            }
            full = false;
            notifyAll();
            return item;
        }
    }

    private static final class Stage extends Thread {
        private final Channel in;
        private final Channel out;

        Stage(Channel in, Channel out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public void run() {
            try {
                for (int v = in.receive(); v != END; v = in.receive()) {
                    out.send(v + 1);
                }
                out.send(END);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int stages = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int items = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Channel first = new Channel(broken);
        Channel last = first;
        for (int i = 0; i < stages; i++) {
            Channel next = new Channel(broken);
            new Stage(last, next).start();
            last = next;
        }
        Channel source = first;
        new Thread(() -> {
            try {
                for (int i = 0; i < items; i++) {
                    source.send(i * 10);
                }
                source.send(END);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }).start();
        for (int i = 0; i < items; i++) {
            int got = last.receive();
            assert got == i * 10 + stages : "got " + got + " as item " + i;
        }
        int end = last.receive();
        assert end == END : "got " + end + " after the last item";
    }
}
