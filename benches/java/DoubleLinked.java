/**
 * Threads that each build a list linked in both directions and then lose it: garbage that holds on to itself,
 * which counting references does not find.
 *
 * <p>Arguments: the number of threads (default 3), of elements in each list (default 3), of lists that each
 * thread builds (default 2). There is nothing to be found.
 *
 * <p>A thread counts what it has built, so collecting garbage makes states smaller but not fewer.
 */
public class DoubleLinked {
    private static final class Node {
        Node before;
        Node after;
        final int value;

        Node(int value) {
            this.value = value;
        }
    }

    private static final class Builder extends Thread {
        private final int length;
        private final int lists;
        private Node first;
        private Node last;
        private int built;

        Builder(int length, int lists) {
            this.length = length;
            this.lists = lists;
        }

        private synchronized void add(int value) {
            Node node = new Node(value);
            if (last == null) {
                first = node;
            } else {
                node.before = last;
                last.after = node;
            }
            last = node;
            built++;
        }

        /** Looks at the list in both directions, and loses it. */
        private synchronized void lose() {
            int forth = 0;
            for (Node n = first; n != null; n = n.after) {
                forth = forth * 10 + n.value;
            }
            int back = 0;
            for (Node n = last; n != null; n = n.before) {
                back += n.value;
            }
            assert forth > 0 && back == length * (length + 1) / 2 : "forth " + forth + ", back " + back;
            first = null;
            last = null;
        }

        @Override
        public void run() {
            for (int l = 0; l < lists; l++) {
                for (int i = 1; i <= length; i++) {
                    add(i);
                }
                lose();
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int length = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int lists = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Builder[] all = new Builder[threads];
        for (int t = 0; t < threads; t++) {
            all[t] = new Builder(length, lists);
            all[t].start();
        }
        for (Builder b : all) {
            b.join();
            synchronized (b) {
                assert b.built == length * lists : b.built + " built";
            }
        }
    }
}
