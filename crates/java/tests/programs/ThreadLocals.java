// ThreadLocal and InheritableThreadLocal.
public class ThreadLocals {
    static final ThreadLocal<Integer> COUNT = ThreadLocal.withInitial(() -> 100);
    static final ThreadLocal<String> PLAIN = new ThreadLocal<>();
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>() {
        @Override
        protected String childValue(String parent) {
            return parent + " child";
        }
    };

    static void run(String name, Runnable r) throws InterruptedException {
        Thread t = new Thread(r, name);
        t.start();
        t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        COUNT.set(1);
        INHERITED.set("main");
        System.out.println(COUNT.get() + " " + PLAIN.get() + " " + INHERITED.get());
        run("a", () -> {
            System.out.println(COUNT.get() + " " + PLAIN.get() + " " + INHERITED.get());
            COUNT.set(COUNT.get() + 5);
            PLAIN.set("a's");
            System.out.println(COUNT.get() + " " + PLAIN.get());
        });
        run("b", () -> System.out.println(COUNT.get() + " " + PLAIN.get()));
        System.out.println(COUNT.get() + " " + PLAIN.get());
        COUNT.remove();
        System.out.println(COUNT.get());
        ThreadLocal<int[]> own = ThreadLocal.withInitial(() -> new int[1]);
        for (int i = 0; i < 3; i++) {
            own.get()[0]++;
        }
        run("c", () -> own.get()[0] += 50);
        System.out.println(own.get()[0]);
        ThreadLocal<?>[] many = new ThreadLocal<?>[40];
        for (int i = 0; i < many.length; i++) {
            int v = i;
            many[i] = ThreadLocal.withInitial(() -> v * v);
        }
        int sum = 0;
        for (ThreadLocal<?> t : many) {
            sum += (Integer) t.get();
        }
        System.out.println(sum);
    }
}
