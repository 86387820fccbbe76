// expect: holds
// outcomes: |1|12
/** The console is closed between what another thread prints, or before, or after. */
public class ConsoleClosed {
    public static void main(String[] args) throws InterruptedException {
        Thread printer = new Thread(() -> {
            System.out.print(1);
            System.out.print(2);
        });
        printer.start();
        System.out.close();
        printer.join();
    }
}
