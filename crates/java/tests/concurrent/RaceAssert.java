// expect: assertion
// A lost update, as a failing assertion.
public class RaceAssert {
    static int counter;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> counter++);
        Thread b = new Thread(() -> counter--);
        a.start();
        b.start();
        a.join();
        b.join();
        assert counter == 0 : "counter is " + counter;
    }
}
