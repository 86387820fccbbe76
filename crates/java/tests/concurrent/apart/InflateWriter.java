// expect: holds
// outcomes: bad|good
import java.util.zip.Inflater;
/** What is to be inflated is read byte by byte. */
public class InflateWriter {
    static final byte[] IN = {120, -100, 75, 76, 2, 0, 1, 38, 0, -60};
    static final byte GOOD = IN[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            IN[2] = 99;
            IN[2] = GOOD;
        });
        other.start();
        Inflater inflater = new Inflater();
        inflater.setInput(IN);
        String end = "good";
        try {
            inflater.inflate(new byte[8]);
        } catch (java.util.zip.DataFormatException e) {
            end = "bad";
        }
        other.join();
        System.out.println(end);
    }
}
