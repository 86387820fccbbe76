// expect: holds
// outcomes: 00|01|10|11
// A writer inside a monitor and a reader outside of it: the reader sees any mixture.
public class UnguardedReader {
    static final Object LOCK = new Object();
    static int x;
    static int y;
    static int readX;
    static int readY;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            synchronized (LOCK) {
                x = 1;
                y = 1;
            }
        });
        Thread b = new Thread(() -> {
            readX = x;
            readY = y;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("" + readX + readY);
    }
}
