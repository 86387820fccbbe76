// Files on the class path, as streams and by address.
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;

public class Resources {
    static String head(InputStream in) throws Exception {
        if (in == null) {
            return "none";
        }
        try (in) {
            byte[] bytes = in.readNBytes(4);
            return String.format("%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]) + " " + (in.readAllBytes().length > 100);
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader loader = Resources.class.getClassLoader();
        System.out.println(head(Resources.class.getResourceAsStream("Resources.class")));
        System.out.println(head(Resources.class.getResourceAsStream("/Resources.class")));
        System.out.println(head(Resources.class.getResourceAsStream("/none.txt")));
        System.out.println(head(loader.getResourceAsStream("Resources.class")));
        System.out.println(head(loader.getResourceAsStream("/Resources.class")));
        System.out.println(head(ClassLoader.getSystemResourceAsStream("Resources.class")));
        System.out.println(head(Thread.currentThread().getContextClassLoader().getResourceAsStream("Resources.class")));
        System.out.println(head(Object.class.getResourceAsStream("String.class")));
        System.out.println(head(loader.getResourceAsStream("java/util/List.class")));
        URL none = Resources.class.getResource("none.txt");
        System.out.println(none);
        URL url = Resources.class.getResource("Resources.class");
        System.out.println(url.getProtocol() + " " + url.getPath().endsWith("/Resources.class") + " " + url.toString().startsWith("file:/"));
        System.out.println(head(url.openStream()));
        System.out.println(url.equals(loader.getResource("Resources.class")) + " " + Collections.list(loader.getResources("Resources.class")).size()
            + " " + Collections.list(loader.getResources("none.txt")).size());
        System.out.println(head(Resources.class.getModule().getResourceAsStream("Resources.class")));
    }
}
