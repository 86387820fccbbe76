// expect: holds
// outcomes: ab|ba
// StringBuffer is synchronised: both appends are there.
public class StringBufferShared {
    static final StringBuffer TEXT = new StringBuffer();

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> TEXT.append("a"));
        Thread b = new Thread(() -> TEXT.append("b"));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(TEXT);
    }
}
