// expect: holds
// outcomes: 6
// A synchronized method that calls itself.
public class SyncReentrant {
    private int sum;

    synchronized void add(int n) {
        if (n > 0) {
            sum += n;
            add(n - 1);
        }
    }

    public static void main(String[] args) throws Exception {
        SyncReentrant s = new SyncReentrant();
        Thread a = new Thread(() -> s.add(2));
        Thread b = new Thread(() -> s.add(2));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(s.sum);
    }
}
