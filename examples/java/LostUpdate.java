/**
 * Two threads increment a counter without synchronisation.
 *
 * <p>{@code counter++} reads, adds and writes: if both threads read before either writes, one update is lost.
 * A checker finds a run in which the assertion fails.
 */
public class LostUpdate {
    private static int counter;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> counter++);
        Thread b = new Thread(() -> counter++);
        a.start();
        b.start();
        a.join();
        b.join();
        assert counter == 2 : "counter is " + counter;
    }
}
