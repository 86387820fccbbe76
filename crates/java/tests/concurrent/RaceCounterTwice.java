// expect: holds
// outcomes: 2|3|4
// Two threads with two unsynchronised increments each: the last write is a second increment, so at least 2.
public class RaceCounterTwice {
    static int counter;

    static void twice() {
        counter++;
        counter++;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> twice());
        Thread b = new Thread(() -> twice());
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(counter);
    }
}
