// expect: holds
// outcomes: 2
// Two threads wait for different things on one monitor; notifyAll wakes both.
public class NotifyAllRight {
    private boolean first;
    private boolean second;
    private int passed;

    synchronized void awaitFirst() {
        try {
            while (!first) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        passed++;
    }

    synchronized void awaitSecond() {
        try {
            while (!second) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        passed++;
    }

    synchronized void setFirst() {
        first = true;
        notifyAll();
    }

    synchronized void setSecond() {
        second = true;
        notifyAll();
    }

    public static void main(String[] args) throws Exception {
        NotifyAllRight m = new NotifyAllRight();
        Thread a = new Thread(m::awaitFirst);
        Thread b = new Thread(m::awaitSecond);
        a.start();
        b.start();
        m.setFirst();
        m.setSecond();
        a.join();
        b.join();
        System.out.println(m.passed);
    }
}
