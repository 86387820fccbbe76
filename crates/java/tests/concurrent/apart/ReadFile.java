// expect: holds
// outcomes: 0 0|0 ca|fe 0|fe ca
import java.io.FileInputStream;
/** What is read from a file arrives byte by byte, from either end. */
public class ReadFile {
    static final byte[] v = new byte[8];
    static final String FILE = ReadFile.class.getResource("ReadFile.class").getPath();

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            try (FileInputStream in = new FileInputStream(FILE)) {
                in.read(v, 0, 2);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        int second = v[1];
        int first = v[0];
        other.join();
        System.out.println(Integer.toHexString(second & 255) + " " + Integer.toHexString(first & 255));
    }
}
