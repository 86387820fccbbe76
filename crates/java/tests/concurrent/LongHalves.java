// expect: holds
// outcomes: 0|-1
// A long is written in one piece.
public class LongHalves {
    static long value;
    static long seen;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> value = -1L);
        Thread b = new Thread(() -> seen = value);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(seen);
    }
}
