// expect: holds
// outcomes: 2
// Peterson's algorithm for two threads.
public class Peterson {
    static volatile boolean wantA;
    static volatile boolean wantB;
    static volatile int turn;
    static int inside;
    static int entered;

    static void critical() {
        inside++;
        assert inside == 1 : "both inside";
        entered++;
        inside--;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            wantA = true;
            turn = 1;
            while (wantB && turn == 1) {
                Thread.yield();
            }
            critical();
            wantA = false;
        });
        Thread b = new Thread(() -> {
            wantB = true;
            turn = 0;
            while (wantA && turn == 0) {
                Thread.yield();
            }
            critical();
            wantB = false;
        });

        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(entered);
    }
}
