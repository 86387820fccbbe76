// expect: holds
// outcomes: 42
// A volatile flag publishes data; the reader spins.
public class VolatileFlag {
    static int data;
    static volatile boolean ready;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            data = 42;
            ready = true;
        });
        Thread b = new Thread(() -> {
            while (!ready) {
                Thread.yield();
            }
            seen = data;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(seen);
    }
}
