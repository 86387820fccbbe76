// expect: exception java.lang.LinkageError
// Two threads load a class by a loader that takes no lock: both may find it missing, and define it.
public class LoaderTwice {
    public static class Lazy { }

    static class Own extends ClassLoader {
        final byte[] bytes;

        Own(byte[] bytes) {
            this.bytes = bytes;
        }

        Class<?> lazy() {
            Class<?> known = findLoadedClass("LoaderTwice$Lazy");
            return known == null ? defineClass("LoaderTwice$Lazy", bytes, 0, bytes.length) : known;
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = ClassLoader.getSystemResourceAsStream("LoaderTwice$Lazy.class").readAllBytes();
        Own own = new Own(bytes);
        Thread other = new Thread(own::lazy);
        other.start();
        own.lazy();
        other.join();
    }
}
