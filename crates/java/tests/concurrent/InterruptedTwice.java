// expect: holds
// outcomes: false false|false true|true false
// The flag is read and cleared without being in anybody's way, until somebody interrupts.
public class InterruptedTwice {
    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        Thread other = new Thread(main::interrupt);
        other.start();
        boolean first = Thread.interrupted();
        boolean second = Thread.interrupted();
        System.out.println(first + " " + second);
    }
}
