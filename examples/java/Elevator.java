/**
 * Elevators and their passengers, who call one, get in, and get out at their floor.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of floors (default 3), of passengers (default 2),
 * and of elevators (default 1). Passenger i goes from floor i % floors to the floor after the next one.
 *
 * <p>A call from a floor is answered by whichever elevator takes it first. It moves there floor by floor,
 * opens the doors, lets everyone in and out who wants to, closes them and goes on. In the broken version it
 * closes the doors without looking and takes the call as answered: a passenger who was too slow waits for
 * ever. A checker finds the deadlock. Along the way the program asserts that doors are closed while an
 * elevator moves and that nobody gets in or out elsewhere than wanted.
 */
public class Elevator {
    private static final class Car {
        int floor;
        boolean open;
        int inside;
        /** Where it has yet to stop, and how many will get out there. */
        final boolean[] stops;
        final int[] leaving;

        Car(int floors) {
            stops = new boolean[floors];
            leaving = new int[floors];
        }
    }

    private final boolean broken;
    private final Car[] cars;
    /** How many want to get in at each floor, and whether some of them called and no elevator has taken that on. */
    private final int[] waiting;
    private final boolean[] calls;
    private int travelling;

    Elevator(boolean broken, int floors, int passengers, int elevators) {
        this.broken = broken;
        this.waiting = new int[floors];
        this.calls = new boolean[floors];
        this.travelling = passengers;
        this.cars = new Car[elevators];
        for (int i = 0; i < elevators; i++) {
            cars[i] = new Car(floors);
        }
    }

    /** The floor where the car is to stop next, or -1 when all passengers have arrived. */
    private synchronized int target(Car car) throws InterruptedException {
        while (travelling > 0) {
            int stop = nearest(car.floor, car.stops);
            if (stop >= 0) {
                return stop;
            }
            int call = nearest(car.floor, calls);
            if (call >= 0) {
                calls[call] = false;
                car.stops[call] = true;
                return call;
            }
            wait();
        }
        return -1;
    }

    /** A floor of the marked ones, by the shortest way if that goes down; -1 if there is none. */
    private static int nearest(int floor, boolean[] marked) {
        for (int d = 0; d < marked.length; d++) {
            int f = (floor - d + marked.length) % marked.length;
            if (marked[f]) {
                return f;
            }
        }
        return -1;
    }

    private synchronized void moveTowards(Car car, int target) {
        assert !car.open : "moving with open doors";
        car.floor += Integer.signum(target - car.floor);
    }

    private synchronized void openDoors(Car car) {
        car.open = true;
        car.stops[car.floor] = false;
        notifyAll();
    }

    private synchronized void closeDoors(Car car) throws InterruptedException {
        while (!broken && (waiting[car.floor] > 0 || car.leaving[car.floor] > 0)) {
            wait();
        }
        car.open = false;
    }

    void run(Car car) throws InterruptedException {
        for (int target = target(car); target >= 0; target = target(car)) {
            while (car.floor != target) {
                moveTowards(car, target);
            }
            openDoors(car);
            closeDoors(car);
        }
    }

    private Car openAt(int floor) {
        for (Car car : cars) {
            if (car.open && car.floor == floor) {
                return car;
            }
        }
        return null;
    }

    synchronized void travel(int from, int to) throws InterruptedException {
        waiting[from]++;
        Car car = openAt(from);
        if (car == null) {
            calls[from] = true;
            notifyAll();
        }
        while (car == null) {
            wait();
            car = openAt(from);
        }
        waiting[from]--;
        car.inside++;
        car.leaving[to]++;
        car.stops[to] = to != car.floor;
        notifyAll();
        while (!(car.open && car.floor == to)) {
            wait();
        }
        assert car.inside > 0 && car.leaving[to] > 0 : "got out at floor " + to;
        car.leaving[to]--;
        car.inside--;
        travelling--;
        notifyAll();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int floors = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int passengers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int elevators = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        Elevator building = new Elevator(broken, floors, passengers, elevators);
        for (int i = 0; i < passengers; i++) {
            int from = i % floors;
            int to = (i + 2) % floors;
            new Thread(() -> {
                try {
                    building.travel(from, to);
                } catch (InterruptedException x) {
                    throw new AssertionError(x);
                }
            }, "passenger " + i).start();
        }
        Thread[] moving = new Thread[elevators];
        for (int i = 0; i < elevators; i++) {
            Car car = building.cars[i];
            moving[i] = new Thread(() -> {
                try {
                    building.run(car);
                } catch (InterruptedException x) {
                    throw new AssertionError(x);
                }
            }, "elevator " + i);
            moving[i].start();
        }
        for (int i = 0; i < elevators; i++) {
            moving[i].join();
            assert building.cars[i].inside == 0 : building.cars[i].inside + " in elevator " + i;
        }
        assert building.travelling == 0 : building.travelling + " still on their way";
    }
}
