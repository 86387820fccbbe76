// expect: holds
// outcomes: 0 0|0 1|1 0|1 1
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;

/** Reading a file writes an array, twice in a row, which another thread reads: it may be between the two. */
public class ReadIntoArray {
    static final byte[] shared = new byte[1];
    static int first, last;

    public static void main(String[] args) throws InterruptedException, IOException {
        File own = new File(System.getProperty("java.class.path"), "ReadIntoArray.class");
        FileInputStream in = new FileInputStream(own);
        Thread reader = new Thread(() -> {
            first = shared[0] == 0 ? 0 : 1;
            last = shared[0] == 0 ? 0 : 1;
        });
        reader.start();
        // A class file begins with the bytes CA FE BA BE 00 00.
        in.skip(3);
        in.read(shared, 0, 1);
        in.read(shared, 0, 1);
        reader.join();
        System.out.println(first + " " + last);
    }
}
