// expect: assertion
// Peterson's algorithm with its first two steps exchanged: both threads may be inside.
public class PetersonBroken {
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
            turn = 1;
            wantA = true;
            while (wantB && turn == 1) {
                Thread.yield();
            }
            critical();
            wantA = false;
        });
        Thread b = new Thread(() -> {
            turn = 0;
            wantB = true;
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
    }
}
