import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Reads files by java.nio.file: of the class path, and of the directory that the program is run in. */
public class FilesRead {
    public static void main(String[] args) throws Exception {
        Path own = Path.of(FilesRead.class.getResource("FilesRead.class").toURI());
        byte[] bytes = Files.readAllBytes(own);
        System.out.println(Integer.toHexString(bytes[0] & 0xff) + " " + (bytes.length == Files.size(own)));
        System.out.println(Files.exists(own) + " " + Files.isRegularFile(own) + " " + Files.isDirectory(own.getParent())
                + " " + Files.isReadable(own));
        Path readme = Path.of("tests", "programs", "README.md");
        System.out.println(Files.readAllLines(readme).get(0));
        System.out.println(Files.readString(readme).length());
        try (Stream<String> lines = Files.lines(readme, StandardCharsets.UTF_8)) {
            System.out.println(lines.filter(line -> line.startsWith("-")).count());
        }
        try (BufferedReader reader = Files.newBufferedReader(readme)) {
            System.out.println(reader.readLine());
        }
        try (InputStream in = Files.newInputStream(own)) {
            System.out.println(in.readNBytes(4).length);
        }
        Path none = Path.of("no", "such.txt");
        System.out.println(Files.exists(none) + " " + Files.notExists(none) + " " + Files.isRegularFile(none));
        try {
            Files.readString(none);
        } catch (NoSuchFileException e) {
            System.out.println(e + " " + e.getFile());
        }
        try {
            Files.newInputStream(none);
        } catch (IOException e) {
            System.out.println(e);
        }
        try {
            Files.readAllBytes(Path.of("tests"));
        } catch (IOException e) {
            System.out.println(e);
        }
    }
}
