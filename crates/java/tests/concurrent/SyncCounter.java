// expect: holds
// outcomes: 4
// Increments inside a monitor.
public class SyncCounter {
    static int counter;

    static synchronized void add() {
        counter++;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            add();
            add();
        });
        Thread b = new Thread(() -> {
            add();
            add();
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(counter);
    }
}
