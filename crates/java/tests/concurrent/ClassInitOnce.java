// expect: holds
// outcomes: 1
// Two threads use a class for the first time: it is initialised once, and both see it initialised.
public class ClassInitOnce {
    static int inits;

    static final class Lazy {
        static int value;

        static {
            inits++;
            value = 5;
        }
    }

    static int first;
    static int second;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> first = Lazy.value);
        Thread b = new Thread(() -> second = Lazy.value);
        a.start();
        b.start();
        a.join();
        b.join();

        assert first == 5 && second == 5;
        System.out.println(inits);
    }
}
