// expect: assertion
// Two takers wait with if in place of while; both are woken by one value.
public class WaitIf {
    private int values;

    synchronized void give() {
        values++;
        notifyAll();
    }

    synchronized void take() {
        if (values == 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assert values > 0 : "took nothing";
        values--;
    }

    public static void main(String[] args) throws Exception {
        WaitIf m = new WaitIf();
        new Thread(m::take).start();
        new Thread(m::take).start();
        m.give();
        m.give();
    }
}
