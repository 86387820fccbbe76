// expect: deadlock
// Two threads wait for different things on one monitor; notify may wake the wrong one twice.
public class NotifyWrong {
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
        notify();
    }

    synchronized void setSecond() {
        second = true;
        notify();
    }

    public static void main(String[] args) throws Exception {
        NotifyWrong m = new NotifyWrong();
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
