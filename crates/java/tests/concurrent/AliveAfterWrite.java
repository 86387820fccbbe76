// expect: holds
// outcomes: none|true|false
// Whoever sees what a thread wrote last may find the thread alive or not.
public class AliveAfterWrite {
    static volatile int x;

    public static void main(String[] args) throws Exception {
        Thread writer = new Thread(() -> {
            x = 1;
        });
        writer.start();
        if (x == 1) {
            System.out.println(writer.isAlive());
        } else {
            System.out.println("none");
        }
    }
}
