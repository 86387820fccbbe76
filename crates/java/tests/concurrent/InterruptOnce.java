// expect: holds
// outcomes: false|true
// A thread looks at its interrupt flag once.
public class InterruptOnce {
    static boolean seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> seen = Thread.interrupted());
        a.start();
        a.interrupt();
        a.join();
        System.out.println(seen);
    }
}
