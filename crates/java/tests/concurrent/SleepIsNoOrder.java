// expect: holds
// outcomes: ab|ba
// Sleeping longer is no guarantee of coming later.
public class SleepIsNoOrder {
    static String order = "";

    static synchronized void add(String s) {
        order += s;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            add("a");
        });
        Thread b = new Thread(() -> add("b"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(order);
    }
}
