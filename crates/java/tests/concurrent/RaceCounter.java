// expect: holds
// outcomes: 1|2
// Two unsynchronised increments: one of them may be lost.
public class RaceCounter {
    static int counter;

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
