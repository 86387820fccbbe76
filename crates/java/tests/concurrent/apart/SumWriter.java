// expect: holds
// outcomes: 0|1|2|3
import java.util.zip.Adler32;

/** A checksum of bytes that are written meanwhile. */
public class SumWriter {
    static final byte[] v = new byte[2];

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            v[0] = 1;
            v[1] = 1;
        });
        other.start();
        Adler32 sum = new Adler32();
        sum.update(v);
        // The second half is the sum of the sums: 2, twice the first byte, and the second one.
        long half = (sum.getValue() >> 16) - 2;
        other.join();
        System.out.println(half);
    }
}
