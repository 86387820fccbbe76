// expect: holds
// outcomes: done
// A daemon thread that runs for ever ends with the program.
public class DaemonRuns {
    static volatile boolean tick;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            while (true) {
                tick = !tick;
            }
        });
        a.setDaemon(true);
        a.start();
        System.out.println("done");
    }
}
