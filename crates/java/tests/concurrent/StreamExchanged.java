// expect: holds
// outcomes: kept|
// System.out is final, and changed nevertheless: who prints may have read it before or after.
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

public class StreamExchanged {
    static volatile boolean ready;

    public static void main(String[] args) throws Exception {
        PrintStream away = new PrintStream(new ByteArrayOutputStream());
        Thread printer = new Thread(() -> {
            ready = true;
            System.out.println("kept");
        });
        printer.start();
        if (ready) {
            System.setOut(away);
        }
        printer.join();
    }
}
