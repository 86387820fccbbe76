// expect: deadlock
// Two loaders that delegate to each other, each locked while it loads: the deadlock that parallel capable loaders were
// invented for.
public class LoaderCircle {
    static class Own extends ClassLoader {
        Own other;

        @Override
        protected synchronized Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            String mine = this == one ? "one" : "two";
            if (name.equals(mine)) {
                return Object.class;
            }
            return other.loadClass(name, resolve);
        }
    }

    static final Own one = new Own();
    static final Own two = new Own();

    static void ask(Own own, String name) {
        try {
            own.loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        one.other = two;
        two.other = one;
        Thread thread = new Thread(() -> ask(two, "one"));
        thread.start();
        ask(one, "two");
        thread.join();
    }
}
