// expect: holds
// outcomes: aa|ab|ba|bb
/** Printed bytes are read one by one. */
public class PrintBytes {
    static final byte[] TEXT = {'a', 'a'};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            TEXT[0] = 'b';
            TEXT[1] = 'b';
        });
        other.start();
        System.out.write(TEXT, 0, 2);
        other.join();
        System.out.println("");
    }
}
