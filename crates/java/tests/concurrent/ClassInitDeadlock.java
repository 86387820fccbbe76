// expect: deadlock
// Two classes that need each other, initialised by two threads from both ends.
public class ClassInitDeadlock {
    static final class Left {
        static int value = 1;
        static int other = Right.value;
    }

    static final class Right {
        static int value = 2;
        static int other = Left.value;
    }

    static void assertPositive(int v) {
        assert v > 0;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> assertPositive(Left.value));
        Thread b = new Thread(() -> assertPositive(Right.value));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
