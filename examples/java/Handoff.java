/**
 * One thread hands two values to two others, which wait with {@code if} where a loop is needed.
 *
 * <p>Both takers may be waiting when the first value comes. {@code notifyAll} wakes both, one of them takes
 * the value, and the other one goes on without looking again: a checker finds a run in which it takes nothing
 * and the assertion fails. With {@code while} in place of {@code if} the program is correct.
 */
public class Handoff {
    private String value;

    synchronized void give(String v) throws InterruptedException {
        while (value != null) {
            wait();
        }
        value = v;
        notifyAll();
    }

    synchronized String take() throws InterruptedException {
        if (value == null) {
            wait();
        }
        String v = value;
        assert v != null : "took nothing";
        value = null;
        notifyAll();
        return v;
    }

    public static void main(String[] args) throws InterruptedException {
        Handoff h = new Handoff();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                try {
                    System.out.println(h.take());
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }).start();
        }
        h.give("apple");
        h.give("pear");
    }
}
