// ResourceBundle made of classes, with a fixed locale and a parent chain.
import java.util.ListResourceBundle;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.TreeSet;

public class ResourceBundles {
    public static class Words extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "hello"}, {"bye", "bye"}, {"list", new String[] {"a", "b"}}};
        }
    }

    public static class Words_de extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"hello", "hallo"}};
        }
    }

    public static void main(String[] args) {
        ResourceBundle.Control control = ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_CLASS);
        for (Locale l : new Locale[] {Locale.ROOT, Locale.GERMANY, Locale.FRENCH}) {
            ResourceBundle b = ResourceBundle.getBundle("ResourceBundles$Words", l, control);
            System.out.println(l + ": " + b.getString("hello") + " " + b.getString("bye") + " " + b.getStringArray("list").length + " " + b.containsKey("none") + " "
                + new TreeSet<>(b.keySet()) + " [" + b.getLocale() + "]");
        }
        ResourceBundle own = new Words();
        System.out.println(own.getObject("bye"));
        try {
            own.getString("none");
        } catch (MissingResourceException e) {
            System.out.println(e.getKey());
        }
        try {
            ResourceBundle.getBundle("NoSuchBundle", Locale.ROOT, control);
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
    }
}
