// expect: holds
// outcomes: exit
// System.exit ends a program whose other thread runs for ever.
public class ExitWhileRunning {
    static volatile boolean tick;

    public static void main(String[] args) throws Exception {
        new Thread(() -> {
            while (true) {
                tick = !tick;
            }
        }).start();
        System.out.println("exit");
        System.exit(0);
    }
}
