// expect: holds
// outcomes: a|b|c
/** Printing reads the characters of an array, which another thread writes twice in a row. */
public class PrintedChars {
    static final char[] shared = {'a'};

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            shared[0] = 'b';
            shared[0] = 'c';
        });
        writer.start();
        System.out.println(shared);
        writer.join();
    }
}
