// expect: holds
// outcomes: 7
// What a thread wrote is there after join.
public class JoinVisible {
    static int value;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> value = 7);
        a.start();
        a.join();
        assert !a.isAlive();
        System.out.println(value);
    }
}
