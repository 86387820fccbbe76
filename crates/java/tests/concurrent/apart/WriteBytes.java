// expect: holds
// outcomes: aa|ab|ba|bb
import java.io.FileDescriptor;
import java.io.FileOutputStream;
/** Bytes for a file are read one by one. */
public class WriteBytes {
    static final byte[] TEXT = {'a', 'a'};
    static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            TEXT[0] = 'b';
            TEXT[1] = 'b';
        });
        other.start();
        OUT.write(TEXT, 0, 2);
        other.join();
        System.out.println("");
    }
}
