// expect: holds
// outcomes: stopped
// A thread runs until it finds its interrupt flag set.
public class InterruptPoll {
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.yield();
            }
            result = "stopped";
        });
        a.start();
        a.interrupt();
        a.join();
        System.out.println(result);
    }
}
