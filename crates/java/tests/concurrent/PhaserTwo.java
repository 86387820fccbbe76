// expect: holds
// outcomes: 11
// Two threads meet at a phaser and see what was written before.
import java.util.concurrent.Phaser;

public class PhaserTwo {
    static final Phaser PHASER = new Phaser(2);
    static int x;
    static int y;
    static int readX;
    static int readY;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            x = 1;
            PHASER.arriveAndAwaitAdvance();
            readY = y;
        });
        Thread b = new Thread(() -> {
            y = 1;
            PHASER.arriveAndAwaitAdvance();
            readX = x;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("" + readX + readY);
    }
}
