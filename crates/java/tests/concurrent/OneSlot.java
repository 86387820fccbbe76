// expect: holds
// outcomes: 12
// A one-place buffer with wait and notifyAll.
public class OneSlot {
    private int slot;

    synchronized void put(int v) throws InterruptedException {
        while (slot != 0) {
            wait();
        }
        slot = v;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (slot == 0) {
            wait();
        }
        int v = slot;
        slot = 0;
        notifyAll();
        return v;
    }

    public static void main(String[] args) throws Exception {
        OneSlot s = new OneSlot();
        Thread a = new Thread(() -> {
            try {
                s.put(1);
                s.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        a.start();
        int first = s.take();
        int second = s.take();
        a.join();
        System.out.println("" + first + second);
    }
}
