// expect: holds
// outcomes: java.nio.file.NoSuchFileException: no such example.txt
// A file that is missing is an exception that says so, as in java.
import java.nio.file.Files;
import java.nio.file.Path;

public class ReadsFile {
    public static void main(String[] args) {
        try {
            System.out.println(Files.readString(Path.of("no such example.txt")));
        } catch (Throwable e) {
            System.out.println(e);
        }
    }
}
