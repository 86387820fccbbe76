// expect: holds
// outcomes: 1 1|2 1
// Two threads run code of a class whose loader is asked for another class in the middle of it: it is asked once.
public class LoaderLazy {
    public static class Shared {
        static int n;
    }

    public static class Work implements Runnable {
        public void run() {
            Shared.n++;
        }

        public String toString() {
            return "" + Shared.n;
        }
    }

    static class Own extends ClassLoader {
        int asked;

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.endsWith("Shared") && !name.endsWith("Work")) {
                return super.loadClass(name, resolve);
            }
            if (name.endsWith("Shared")) {
                asked++;
            }
            try (var in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Own own = new Own();
        Runnable work = (Runnable) own.loadClass("LoaderLazy$Work").getDeclaredConstructor().newInstance();
        Thread a = new Thread(work);
        Thread b = new Thread(work);
        a.start();
        b.start();
        a.join();
        b.join();
        assert Shared.n == 0;
        System.out.println(work + " " + own.asked);
    }
}
