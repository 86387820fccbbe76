// expect: holds
// outcomes: 1 1
// Two threads define the same class file, each by a loader of its own: no thread sees what the other counts.
public class LoaderSpaces {
    public static class Counter {
        static int n;

        public static int next() {
            return ++n;
        }
    }

    static class Own extends ClassLoader {
        int count(byte[] bytes) throws Exception {
            return (int) defineClass(null, bytes, 0, bytes.length).getMethod("next").invoke(null);
        }
    }

    static int first;
    static int second;

    public static void main(String[] args) throws Exception {
        byte[] bytes = ClassLoader.getSystemResourceAsStream("LoaderSpaces$Counter.class").readAllBytes();
        Own one = new Own();
        Own two = new Own();
        Thread other = new Thread(() -> {
            try {
                second = two.count(bytes);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        first = one.count(bytes);
        other.join();
        System.out.println(first + " " + second);
    }
}
