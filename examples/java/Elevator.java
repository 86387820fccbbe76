/**
 * An elevator and its passengers, who call it, get in, and get out at their floor.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of floors (default 3), the number of passengers
 * (default 2). Passenger i goes from floor i % floors to the floor after the next one.
 *
 * <p>The elevator stops where it is wanted, opens the doors, lets everyone in and out who wants to, closes
 * them and moves on. In the broken version it closes the doors without looking and takes the wish as
 * fulfilled: a passenger who was too slow waits for ever. A checker finds the deadlock. Along the way the
 * program asserts that the doors are closed while the elevator moves and that nobody gets in or out elsewhere
 * than wanted.
 */
public class Elevator {
    private final boolean broken;
    /** How many want in or out at each floor, and where the elevator has yet to stop. */
    private final int[] wanting;
    private final boolean[] stops;
    private int floor;
    private boolean open;
    private int inside;
    private int travelling;

    Elevator(boolean broken, int floors, int passengers) {
        this.broken = broken;
        this.wanting = new int[floors];
        this.stops = new boolean[floors];
        this.travelling = passengers;
    }

    /** A floor where the elevator is to stop, or -1 when all passengers have arrived. */
    private synchronized int target() throws InterruptedException {
        while (travelling > 0) {
            for (int d = 0; d < stops.length; d++) {
                int f = (floor - d + stops.length) % stops.length;
                if (stops[f]) {
                    return f;
                }
            }
            wait();
        }
        return -1;
    }

    private synchronized void moveTowards(int target) {
        assert !open : "moving with open doors";
        floor += Integer.signum(target - floor);
    }

    private synchronized void openDoors() {
        open = true;
        stops[floor] = false;
        notifyAll();
    }

    private synchronized void closeDoors() throws InterruptedException {
        while (!broken && wanting[floor] > 0) {
            wait();
        }
        open = false;
    }

    void run() throws InterruptedException {
        for (int target = target(); target >= 0; target = target()) {
            while (floor != target) {
                moveTowards(target);
            }
            openDoors();
            closeDoors();
        }
    }

    private void ask(int where) throws InterruptedException {
        wanting[where]++;
        if (!(open && floor == where)) {
            stops[where] = true;
            notifyAll();
        }
        while (!(open && floor == where)) {
            wait();
        }
        wanting[where]--;
        notifyAll();
    }

    synchronized void travel(int from, int to) throws InterruptedException {
        ask(from);
        assert open && floor == from : "got in at floor " + floor;
        inside++;
        ask(to);
        assert open && floor == to && inside > 0 : "got out at floor " + floor;
        inside--;
        travelling--;
        notifyAll();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int floors = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int passengers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Elevator e = new Elevator(broken, floors, passengers);
        for (int i = 0; i < passengers; i++) {
            int from = i % floors;
            int to = (i + 2) % floors;
            new Thread(() -> {
                try {
                    e.travel(from, to);
                } catch (InterruptedException x) {
                    throw new AssertionError(x);
                }
            }, "passenger " + i).start();
        }
        e.run();
        assert e.inside == 0 && e.travelling == 0 : e.inside + " inside, " + e.travelling + " travelling";
    }
}
