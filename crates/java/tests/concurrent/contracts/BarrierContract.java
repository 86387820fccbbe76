// expect: holds
// outcomes: 01|10
// CyclicBarrier: nobody passes before all are there, the action runs once and before anybody passes, and the places of arrival differ.
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

public class BarrierContract {
    static final boolean[] ARRIVED = new boolean[2];
    static int trips;
    static final CyclicBarrier BARRIER = new CyclicBarrier(2, () -> {
        assert ARRIVED[0] && ARRIVED[1];
        trips++;
    });
    static int place;

    static int meet(int me) {
        ARRIVED[me] = true;
        try {
            int arrival = BARRIER.await();
            assert ARRIVED[1 - me] && trips == 1;
            return arrival;
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> place = meet(0));
        a.start();
        int mine = meet(1);
        a.join();
        assert BARRIER.getNumberWaiting() == 0;
        System.out.println("" + place + mine);
    }
}
