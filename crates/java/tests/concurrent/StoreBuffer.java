// expect: holds
// outcomes: 01|10|11
// Each thread writes its own variable and reads the other: under sequential consistency not both read 0.
public class StoreBuffer {
    static int x;
    static int y;
    static int readX;
    static int readY;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            x = 1;
            readY = y;
        });
        Thread b = new Thread(() -> {
            y = 1;
            readX = x;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("" + readY + readX);
    }
}
