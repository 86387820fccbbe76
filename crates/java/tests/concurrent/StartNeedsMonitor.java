// expect: holds
// outcomes: 01|11|15
// To start a thread its monitor is needed: whoever waits for that goes on as soon as the monitor is left, before or after
// what the other one does next.
public class StartNeedsMonitor {
    static int y, z, r, q;

    public static void main(String[] args) throws InterruptedException {
        Thread idle = new Thread(() -> {});
        Thread a = new Thread(() -> {
            idle.start();
            z = 1;
            q = y;
        });
        synchronized (idle) {
            a.start();
            y = 5;
        }
        y = 1;
        r = z;
        a.join();
        System.out.print(r + "" + q);
    }
}
