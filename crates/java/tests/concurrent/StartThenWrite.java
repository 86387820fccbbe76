// expect: holds
// outcomes: 0|1
// What the first thread writes right after it started another one may be seen by that one, or not.
public class StartThenWrite {
    static int x;
    static int seen;

    public static void main(String[] args) throws Exception {
        Thread reader = new Thread(() -> seen = x);
        reader.start();
        x = 1;
        reader.join();
        System.out.println(seen);
    }
}
