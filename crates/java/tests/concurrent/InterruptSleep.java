// expect: holds
// outcomes: interrupted|slept
// A sleeping thread is interrupted, or wakes up before.
public class InterruptSleep {
    static String result = "none";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            try {
                Thread.sleep(10);
                result = "slept";
            } catch (InterruptedException e) {
                result = "interrupted";
            }
        });
        a.start();
        a.interrupt();
        a.join();
        System.out.println(result);
    }
}
