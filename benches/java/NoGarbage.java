/**
 * Threads that add to a list and never take anything away: what garbage collection costs where there is no
 * garbage.
 *
 * <p>Arguments: the number of threads (default 3), of elements that each adds (default 3). There is nothing to
 * be found.
 *
 * <p>Every element stays reachable, and the list tells in which order the threads came: there are as many
 * lists as ways to mix the threads' elements.
 */
public class NoGarbage {
    private static final class Element {
        final int owner;
        final Element next;

        Element(int owner, Element next) {
            this.owner = owner;
            this.next = next;
        }
    }

    private Element first;
    private int size;

    synchronized void add(int owner) {
        first = new Element(owner, first);
        size++;
        int counted = 0;
        for (Element e = first; e != null; e = e.next) {
            counted++;
        }
        assert counted == size : counted + " elements, not " + size;
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int each = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        NoGarbage list = new NoGarbage();
        for (int t = 0; t < threads; t++) {
            int owner = t;
            new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    list.add(owner);
                }
            }).start();
        }
    }
}
