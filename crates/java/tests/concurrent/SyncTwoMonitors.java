// expect: assertion
// Two different monitors guard the same variable, which is no guard.
public class SyncTwoMonitors {
    static int counter;

    static synchronized void add() {
        counter++;
    }

    synchronized void addToo() {
        counter++;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> add());
        Thread b = new Thread(() -> new SyncTwoMonitors().addToo());
        a.start();
        b.start();
        a.join();
        b.join();
        assert counter == 2 : "counter is " + counter;
    }
}
