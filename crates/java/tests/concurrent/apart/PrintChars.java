// expect: holds
// outcomes: aa|ab|ba|bb
/** Printed characters are read one by one. */
public class PrintChars {
    static final char[] TEXT = {'a', 'a'};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            TEXT[0] = 'b';
            TEXT[1] = 'b';
        });
        other.start();
        System.out.print(TEXT);
        other.join();
        System.out.println("");
    }
}
