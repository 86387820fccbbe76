// Two gates let visitors into a hall with few places. Each looks whether there is a place and then counts the visitor in; a third thread lets visitors out again.
//
// There is no assertion in here: what must be true is said on the command line.
//
//   allways check -cp classes Turnstile --invariant 'Turnstile.inside <= Turnstile.places' -- broken
//   allways check -cp classes Turnstile --ltl '[] (Turnstile.full -> <> !Turnstile.full)' -- ok
//
// ok|broken, places (1), visitors at each gate (1). The broken gates look first and lock later.

public class Turnstile {
    static int places;
    static int inside;
    static boolean full;

    static final Object LOCK = new Object();

    static void enter(boolean broken) throws InterruptedException {
        if (broken) {
            while (isFull()) {
                Thread.yield();
            }
            synchronized (LOCK) {
                count(1);
            }
        } else {
            synchronized (LOCK) {
                while (isFull()) {
                    LOCK.wait();
                }
                count(1);
            }
        }
    }

    static void leave() throws InterruptedException {
        synchronized (LOCK) {
            while (inside == 0) {
                LOCK.wait();
            }
            count(-1);
        }
    }

    static boolean isFull() {
        synchronized (LOCK) {
            return inside >= places;
        }
    }

    static void count(int change) {
        inside += change;
        full = inside >= places;
        LOCK.notifyAll();
    }

    public static void main(String[] args) {
        boolean broken = args.length > 0 && args[0].equals("broken");
        places = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int visitors = args.length > 2 ? Integer.parseInt(args[2]) : 1;
        for (int gate = 0; gate < 2; gate++) {
            new Thread(() -> {
                try {
                    for (int i = 0; i < visitors; i++) {
                        enter(broken);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, "gate-" + gate).start();
        }
        new Thread(() -> {
            try {
                for (int i = 0; i < 2 * visitors; i++) {
                    leave();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "exit").start();
    }
}
