/**
 * Dining philosophers: each needs both of the forks beside it, and each fork lies between two philosophers.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of philosophers (default 3), the number of meals
 * each (default 1).
 *
 * <p>In the broken version every philosopher takes the left fork first. A checker finds the deadlock in which
 * each one holds its left fork. In the correct version the last philosopher takes the right fork first, which
 * breaks the circle.
 */
public class Philosophers {
    /** A fork, with the philosopher who eats with it, or -1. */
    private static final class Fork {
        int user = -1;
    }

    private static final class Philosopher extends Thread {
        private final int id;
        private final int meals;
        private final Fork first;
        private final Fork second;
        int eaten;

        Philosopher(int id, int meals, Fork first, Fork second) {
            this.id = id;
            this.meals = meals;
            this.first = first;
            this.second = second;
        }

        @Override
        public void run() {
            for (int i = 0; i < meals; i++) {
                synchronized (first) {
                    synchronized (second) {
                        eat();
                    }
                }
            }
        }

        private void eat() {
            assert first.user == -1 && second.user == -1 : "a fork is in use";
            first.user = id;
            second.user = id;
            eaten++;
            first.user = -1;
            second.user = -1;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int n = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int meals = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        Fork[] forks = new Fork[n];
        for (int i = 0; i < n; i++) {
            forks[i] = new Fork();
        }
        Philosopher[] all = new Philosopher[n];
        for (int i = 0; i < n; i++) {
            Fork left = forks[i];
            Fork right = forks[(i + 1) % n];
            boolean swap = !broken && i == n - 1;
            all[i] = new Philosopher(i, meals, swap ? right : left, swap ? left : right);
        }
        for (Philosopher p : all) {
            p.start();
        }
        for (Philosopher p : all) {
            p.join();
            assert p.eaten == meals : "philosopher " + p.id + " ate " + p.eaten;
        }
    }
}
