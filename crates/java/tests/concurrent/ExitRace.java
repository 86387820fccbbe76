// expect: holds
// outcomes: a|b
// Two threads print and exit under one lock: the first one wins.
public class ExitRace {
    static final Object LOCK = new Object();

    static void leave(String name) {
        synchronized (LOCK) {
            System.out.println(name);
            System.exit(0);
        }
    }

    public static void main(String[] args) throws Exception {
        new Thread(() -> leave("a")).start();
        new Thread(() -> leave("b")).start();
    }
}
