import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

/** A URLClassLoader over a directory, and proxies that it defines. */
public class LoaderUrls {
    public interface Greeter {
        String greet(String name);
    }

    public static class Polite implements Greeter {
        static int n;

        public String greet(String name) {
            return "dear " + name + ++n;
        }
    }

    static String shown(Throwable thrown) {
        return thrown.toString().replaceAll("@[0-9a-f]+", "@#");
    }

    static Object greet(Class<?> greeter, Object object) throws Exception {
        return greeter.getMethod("greet", String.class).invoke(object, "x");
    }

    public static void main(String[] args) throws Exception {
        String text = LoaderUrls.class.getResource("LoaderUrls.class").toString();
        URL root = new URL(text.substring(0, text.length() - "LoaderUrls.class".length()));
        URLClassLoader loader = new URLClassLoader(new URL[] {root}, null);
        Class<?> polite = loader.loadClass("LoaderUrls$Polite");
        System.out.println((polite == Polite.class) + " " + (polite.getClassLoader() == loader));
        Object object = polite.getDeclaredConstructor().newInstance();
        Method greet = polite.getMethod("greet", String.class);
        System.out.println(greet.invoke(object, "you") + " " + greet.invoke(object, "all"));
        System.out.println(new Polite().greet("me") + " " + (object instanceof Greeter));
        Class<?> greeter = loader.loadClass("LoaderUrls$Greeter");
        Class<?>[] types = {greeter};
        Object proxy =
                Proxy.newProxyInstance(loader, types, (self, m, given) -> m.getName() + Arrays.toString(given));
        System.out.println(greet(greeter, proxy) + " " + (proxy.getClass().getClassLoader() == loader));
        Greeter own = (Greeter) Proxy.newProxyInstance(
                LoaderUrls.class.getClassLoader(), new Class<?>[] {Greeter.class}, (self, m, given) -> "own");
        System.out.println(own.greet("") + " " + (own.getClass() == proxy.getClass()) + greeter.isInstance(own));
        try {
            Proxy.newProxyInstance(LoaderUrls.class.getClassLoader(), types, (self, m, given) -> null);
        } catch (IllegalArgumentException e) {
            System.out.println(shown(e));
        }
        try {
            Proxy.newProxyInstance(loader, new Class<?>[] {Greeter.class}, (self, m, given) -> null);
        } catch (IllegalArgumentException e) {
            System.out.println(shown(e));
        }
        try {
            loader.loadClass("Nope");
        } catch (ClassNotFoundException e) {
            System.out.println(shown(e));
        }
        System.out.println((loader.getResource("LoaderUrls.class") != null) + " "
                + (loader.getResource("Nope.class") != null) + " "
                + loader.findResource("LoaderUrls$Polite.class").getProtocol());
        System.out.println(polite.getProtectionDomain().getCodeSource().getLocation().equals(root) + " "
                + polite.getPackage().getName().isEmpty());
        try (var in = loader.getResourceAsStream("LoaderUrls$Greeter.class")) {
            System.out.println(Integer.toHexString(in.read()) + Integer.toHexString(in.read()));
        }
        loader.close();
    }
}
