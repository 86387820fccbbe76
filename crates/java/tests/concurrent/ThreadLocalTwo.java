// expect: holds
// outcomes: 11
// Each thread counts in a variable of its own.
public class ThreadLocalTwo {
    static final ThreadLocal<Integer> COUNT = ThreadLocal.withInitial(() -> 0);
    static int a;
    static int b;

    static int add() {
        COUNT.set(COUNT.get() + 1);
        return COUNT.get();
    }

    public static void main(String[] args) throws Exception {
        Thread first = new Thread(() -> a = add());
        Thread second = new Thread(() -> b = add());
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("" + a + b);
    }
}
