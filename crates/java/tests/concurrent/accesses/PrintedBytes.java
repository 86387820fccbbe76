// expect: holds
// outcomes: a|b|c
/** Printing reads the bytes of an array, which another thread writes twice in a row. */
public class PrintedBytes {
    static final byte[] shared = {'a'};

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            shared[0] = 'b';
            shared[0] = 'c';
        });
        writer.start();
        System.out.write(shared, 0, 1);
        writer.join();
    }
}
