/**
 * Threads that allocate objects for a moment and forget them: what garbage collection is worth where there is
 * much garbage.
 *
 * <p>Arguments: the number of threads (default 3), of rounds each (default 4). There is nothing to be found.
 *
 * <p>The objects carry the number of the thread that made them. After a round they are garbage, and nothing
 * else tells in which order the threads came. Where garbage is part of a state, every order is a state of its
 * own.
 */
public class TempObj {
    private static final class Cell {
        final int owner;
        final Cell next;

        Cell(int owner, Cell next) {
            this.owner = owner;
            this.next = next;
        }
    }

    /** One round: a chain is made and looked through, and is garbage at the end. */
    synchronized void round(int owner) {
        Cell chain = new Cell(owner, new Cell(owner, null));
        for (Cell cell = chain; cell != null; cell = cell.next) {
            assert cell.owner == owner : "a cell of " + cell.owner;
        }
    }

    public static void main(String[] args) {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        TempObj shared = new TempObj();
        for (int t = 0; t < threads; t++) {
            int owner = t;
            new Thread(() -> {
                for (int r = 0; r < rounds; r++) {
                    shared.round(owner);
                }
            }).start();
        }
    }
}
