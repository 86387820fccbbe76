// Properties: loading, escapes, defaults, storing without its date line.
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

public class PropertiesIo {
    public static void main(String[] args) throws Exception {
        Properties p = new Properties();
        p.load(new StringReader("# comment\n! other\na=1\nb : two words \nc three\nd=line \\\n   goes on\ne\\ f=escaped\\tkey\ng=\\u0041\\u20ac\nempty=\nlone\n"));
        for (String k : new TreeSet<>(p.stringPropertyNames())) {
            System.out.println("[" + k + "]=[" + p.getProperty(k).replace("\u20ac", "<euro>").replace("\t", "<tab>") + "]");
        }
        System.out.println(p.size() + " " + p.getProperty("none") + " " + p.getProperty("none", "default") + " " + p.containsKey("a"));
        Properties child = new Properties(p);
        child.setProperty("a", "override");
        System.out.println(child.getProperty("a") + " " + child.getProperty("c") + " " + child.size() + " " + child.stringPropertyNames().size());
        Properties out = new Properties();
        out.setProperty("key with space", "value=with:specials#!");
        StringWriter w = new StringWriter();
        out.store(w, null);
        System.out.println(w.toString().replaceAll("(?m)^#.*\\R", "").trim());
        child.remove("a");
        System.out.println(child.getProperty("a") + " " + new TreeMap<>(child));
    }
}
