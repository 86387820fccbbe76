// Files beside the classes, in a directory or a jar file: as streams, by their URLs, as bundles and as services.
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.util.Collections;
import java.util.Locale;
import java.util.Properties;
import java.util.ResourceBundle;
import java.util.Scanner;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

public class Bundled {
    public interface Greeter {
        String greet(String name);
    }

    public static class Polite implements Greeter {
        @Override
        public String greet(String name) {
            return "good day, " + name;
        }
    }

    public static class Rude implements Greeter {
        @Override
        public String greet(String name) {
            return "oi, " + name;
        }
    }

    static String all(InputStream in) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in))) {
            return reader.lines().collect(Collectors.joining("|"));
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader loader = Bundled.class.getClassLoader();
        System.out.println(all(Bundled.class.getResourceAsStream("words.txt")));
        System.out.println(all(Bundled.class.getResourceAsStream("/pack/inner file.txt")));
        System.out.println(all(loader.getResourceAsStream("words.txt")) + " " + loader.getResourceAsStream("/words.txt") + " " + loader.getResourceAsStream("../words.txt"));
        System.out.println(all(ClassLoader.getSystemResourceAsStream("words.txt")));
        URL url = Bundled.class.getResource("pack/inner file.txt");
        System.out.println(url.getProtocol() + " " + url.getPath().endsWith("/pack/inner%20file.txt") + " " + all(url.openStream()));
        System.out.println(url.equals(loader.getResource("pack/inner file.txt")) + " " + Collections.list(loader.getResources("words.txt")).size() + " "
            + loader.getResource("none") + " " + Collections.list(loader.getResources("none")));
        try (Scanner scanner = new Scanner(loader.getResource("words.txt").openStream())) {
            System.out.println(scanner.next() + " " + scanner.nextInt() + " " + scanner.hasNextInt() + " " + scanner.nextLine().isEmpty());
        }
        Properties properties = new Properties();
        try (InputStream in = loader.getResourceAsStream("words_de.properties")) {
            properties.load(in);
        }
        System.out.println(properties.getProperty("hello") + " " + properties.getProperty("none", "default"));
        for (Locale locale : new Locale[] {Locale.ROOT, Locale.GERMANY, Locale.FRENCH}) {
            ResourceBundle bundle = ResourceBundle.getBundle("words", locale, ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_DEFAULT));
            System.out.println(locale + " " + bundle.getString("hello") + " " + bundle.getString("bye"));
        }
        for (Greeter greeter : ServiceLoader.load(Greeter.class)) {
            System.out.println(greeter.getClass().getSimpleName() + ": " + greeter.greet("ann"));
        }
        try {
            new URL(url, "none.txt").openStream();
        } catch (FileNotFoundException e) {
            System.out.println("no such file");
        }
    }
}
