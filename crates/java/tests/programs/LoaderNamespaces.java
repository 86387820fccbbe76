import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One class file through several loaders: names, statics, casts, delegation, errors. */
public class LoaderNamespaces {
    static class Counter {
        static int n;
        int id = ++n;
        public String toString() {
            return "counter " + id + " of " + n;
        }
    }

    public interface Shape {
        String name();
    }

    public static class Square implements Shape {
        public String name() {
            return "square, made by " + getClass().getClassLoader().getClass().getSimpleName();
        }
    }

    static class User {
        static Object make() {
            return new Counter();
        }
        static boolean isMine(Object object) {
            return object instanceof Counter;
        }
        static String cast(Object object) {
            try {
                return ((Counter) object).toString();
            } catch (ClassCastException e) {
                return shown(e);
            }
        }
        static Supplier<String> lambda(int n) {
            Counter counter = new Counter();
            return () -> "lambda " + n + ": " + counter;
        }
        static String record(int n) {
            Point point = new Point(n, new Counter());
            return point + " " + point.equals(new Point(n, point.what())) + " " + point.equals(new Point(n, null));
        }
        static String sum(String text) {
            Object[] all = {new Counter[2], new Counter[2][3], text};
            return all[0].getClass().getName() + " " + all[1].getClass().getSimpleName() + text.length();
        }
    }

    record Point(int x, Counter what) { }

    static class Missing {
        static String use() {
            try {
                return Gone.text();
            } catch (NoClassDefFoundError e) {
                return e.getClass().getName() + ": " + e.getMessage() + ", because of " + shown(e.getCause());
            }
        }
    }

    static class Gone {
        static String text() {
            return "still there";
        }
    }

    static class Own extends ClassLoader {
        final List<String> asked = new ArrayList<>();
        final String own;

        Own(String name, String own) {
            super(name, LoaderNamespaces.class.getClassLoader());
            this.own = own;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.endsWith("Gone")) {
                throw new ClassNotFoundException("no " + name);
            }
            if (!name.startsWith(own)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known == null) {
                    byte[] bytes = bytes(name);
                    known = defineClass(name, bytes, 0, bytes.length);
                    asked.add(name);
                }
                return known;
            }
        }

        Class<?> again(String name) {
            byte[] bytes = bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }

        static byte[] bytes(String name) {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    static String shown(Throwable thrown) {
        return String.valueOf(thrown).replaceAll("@[0-9a-f]+", "@#");
    }

    static Object call(Class<?> type, String method, Class<?>[] types, Object... args) throws Exception {
        var found = type.getDeclaredMethod(method, types);
        found.setAccessible(true);
        return found.invoke(null, args);
    }

    public static void main(String[] args) throws Exception {
        String user = "LoaderNamespaces$User";
        Own one = new Own("one", "LoaderNamespaces");
        Own two = new Own("two", "LoaderNamespaces");
        Class<?> first = one.loadClass(user);
        Class<?> second = two.loadClass(user);
        System.out.println(first.getName() + " " + (first == second) + " " + (first == User.class));
        System.out.println(first.getClassLoader() == one);
        System.out.println(second.getClassLoader() == two);
        System.out.println(first == one.loadClass(user));
        System.out.println(first == Class.forName(user, false, one));
        Object a = call(first, "make", new Class<?>[0]);
        Object b = call(first, "make", new Class<?>[0]);
        Object c = call(second, "make", new Class<?>[0]);
        System.out.println(a + ", " + b + ", " + c + ", " + User.make());
        Class<?>[] object = {Object.class};
        System.out.println(call(first, "isMine", object, b) + " " + call(first, "isMine", object, c)
                + " " + call(second, "isMine", object, c) + " " + User.isMine(c));
        System.out.println(call(first, "cast", object, a));
        System.out.println(call(first, "cast", object, c));
        System.out.println(call(first, "cast", object, User.make()));
        System.out.println(User.cast(c));
        System.out.println(((Supplier<?>) call(first, "lambda", new Class<?>[] {int.class}, 5)).get());
        System.out.println(((Supplier<?>) call(second, "lambda", new Class<?>[] {int.class}, 7)).get());
        System.out.println(call(second, "record", new Class<?>[] {int.class}, 3));
        System.out.println(call(second, "sum", new Class<?>[] {String.class}, "abc"));
        System.out.println(one.asked.subList(0, 2) + " " + two.asked.contains("LoaderNamespaces$Point"));

        Own shapes = new Own("shapes", "LoaderNamespaces$Square");
        Shape shape = (Shape) shapes.loadClass("LoaderNamespaces$Square").getDeclaredConstructor().newInstance();
        System.out.println(shape.name() + ", " + new Square().getClass().getClassLoader().equals(
                ClassLoader.getSystemClassLoader()));
        System.out.println(shape.getClass().isInstance(new Square()) + " " + Shape.class.isInstance(shape));
        Object array = java.lang.reflect.Array.newInstance(shape.getClass(), 1);
        System.out.println(array.getClass().getName() + " " + (array instanceof Shape[]) + " " + (array instanceof Square[])
                + " " + (array.getClass().getClassLoader() == shapes));

        System.out.println(call(one.loadClass("LoaderNamespaces$Missing"), "use", new Class<?>[0]));
        System.out.println(Missing.use());
        try {
            one.again(user);
        } catch (LinkageError e) {
            System.out.println(shown(e));
        }
        try {
            byte[] bytes = Own.bytes(user);
            new Own("three", "x") {
                Class<?> wrong() {
                    return defineClass("Other", bytes, 0, bytes.length);
                }
            }.wrong();
        } catch (LinkageError e) {
            System.out.println(shown(e));
        }
        try {
            Class.forName("no.Such", true, two);
        } catch (ClassNotFoundException e) {
            System.out.println(shown(e));
        }
        System.out.println(Class.forName("[L" + user + ";", false, two).getComponentType() == second);
        Thread thread = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader() == two));
        thread.setContextClassLoader(two);
        thread.start();
        thread.join();
        System.out.println(first.getModule().isNamed() + " " + (first.getModule() == one.getUnnamedModule()) + " "
                + first.getPackageName().isEmpty() + " " + first.getProtectionDomain().getCodeSource());
    }
}
