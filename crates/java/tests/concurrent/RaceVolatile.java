// expect: holds
// outcomes: 1|2
// volatile does not make an increment atomic.
public class RaceVolatile {
    static volatile int counter;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> counter++);
        Thread b = new Thread(() -> counter++);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(counter);
    }
}
