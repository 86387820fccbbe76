// expect: holds
// outcomes: 0 0|0 97|98 0|98 97
import java.util.zip.Inflater;
/** What is inflated arrives byte by byte, from either end. */
public class InflateReader {
    static final byte[] v = new byte[8];
    static final byte[] IN = {120, -100, 75, 76, 2, 0, 1, 38, 0, -60};

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            Inflater inflater = new Inflater();
            inflater.setInput(IN);
            try {
                inflater.inflate(v);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        int second = v[1];
        int first = v[0];
        other.join();
        System.out.println(second + " " + first);
    }
}
