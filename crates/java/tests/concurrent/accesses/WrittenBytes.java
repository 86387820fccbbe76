// expect: holds
// outcomes: a|b|c
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** A stream to the console, not a print stream, reads the bytes of an array. */
public class WrittenBytes {
    static final byte[] shared = {'a'};

    public static void main(String[] args) throws InterruptedException, IOException {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Thread writer = new Thread(() -> {
            shared[0] = 'b';
            shared[0] = 'c';
        });
        writer.start();
        out.write(shared, 0, 1);
        writer.join();
    }
}
