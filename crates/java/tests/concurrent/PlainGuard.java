// expect: holds
// outcomes: none|0|1
// The guard is set before the data, and both are plain: whoever sees the guard may see old data.
public class PlainGuard {
    static int guard;
    static int data;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            guard = 1;
            data = 1;
        });
        writer.start();
        if (guard == 1) {
            System.out.println(data);
        } else {
            System.out.println("none");
        }
        writer.join();
    }
}
