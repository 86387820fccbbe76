// expect: unsupported
// Files are not there, and that is said: it is neither an exception, which the program could catch, nor an answer.
import java.nio.file.Files;
import java.nio.file.Path;

public class ReadsFile {
    public static void main(String[] args) {
        try {
            System.out.println(Files.readString(Path.of("example.txt")));
        } catch (Throwable e) {
            System.out.println("caught");
        }
    }
}
