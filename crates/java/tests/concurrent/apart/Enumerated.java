// expect: holds
// outcomes: 00|01|11
/** Threads are written into a list one by one. */
public class Enumerated {
    static final Thread[] LIST = new Thread[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> Thread.currentThread().getThreadGroup().enumerate(LIST));
        other.start();
        String second = LIST[1] == null ? "0" : "1";
        String first = LIST[0] == null ? "0" : "1";
        other.join();
        System.out.println(second + first);
    }
}
