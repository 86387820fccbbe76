import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** What goes wrong with loaders, and what they are asked for: errors, access, constraints, catch clauses. */
public class LoaderCorners {
    public static class Base {
        protected String said = "base";

        protected String say(Token token) {
            return "base with " + token.text();
        }

        String hidden() {
            return "hidden";
        }

        public static String give(Token token) {
            return "gave " + token.text();
        }

        public static Token take() {
            return new Token();
        }
    }

    public static class Token {
        public String text() {
            return "token of " + (getClass().getClassLoader() instanceof Table ? "a table" : "the path");
        }
    }

    public static class Child extends Base {
        public String hear() {
            return said + ", " + say(new Token());
        }

        public String sneak() {
            return hidden();
        }

        public static String give() {
            return Base.give(new Token());
        }

        public static String taken() {
            return Base.take().text();
        }
    }

    public static class Caught extends RuntimeException {
        public Caught(String text) {
            super(text);
        }
    }

    public static class Catcher {
        public static String run(Runnable body) {
            try {
                body.run();
                return "nothing";
            } catch (IllegalStateException e) {
                return "illegal " + e.getMessage();
            } catch (Caught e) {
                return "caught " + e.getMessage();
            } catch (RuntimeException e) {
                return "other " + e.getMessage();
            }
        }
    }

    static class Loop { }

    public static class Links {
        public static String link() {
            return "" + new Token().text() + new Token[1].length + Token.class.getName();
        }
    }

    /** Gives what a table says: the bytes of a class, another loader's class, null, or something else. */
    static class Table extends ClassLoader {
        final Map<String, Function<String, Class<?>>> entries = new HashMap<>();

        Table() {
            super("table", LoaderCorners.class.getClassLoader());
        }

        Table own(String... names) {
            for (String name : names) {
                entries.put(full(name), this::defined);
            }
            return this;
        }

        Table with(String name, Function<String, Class<?>> entry) {
            entries.put(full(name), entry);
            return this;
        }

        static String full(String name) {
            return name.contains(".") ? name : "LoaderCorners$" + name;
        }

        Class<?> defined(String name) {
            byte[] bytes = bytes(name);
            return defineClass(name, bytes, 0, bytes.length);
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }

        Class<?> get(String name) throws ClassNotFoundException {
            return loadClass(full(name));
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Function<String, Class<?>> entry = entries.get(name);
            if (entry == null) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            return known == null ? entry.apply(name) : known;
        }
    }

    static byte[] bytes(String name) {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    interface Body {
        Object run() throws Exception;
    }

    static void show(String what, Body body) {
        String result;
        try {
            result = String.valueOf(body.run());
        } catch (Throwable thrown) {
            Throwable shown = thrown instanceof java.lang.reflect.InvocationTargetException ? thrown.getCause() : thrown;
            result = shown + (shown.getCause() == null ? "" : " / " + shown.getCause());
        }
        System.out.println(what + ": " + result.replaceAll("@[0-9a-f]+", "@#"));
    }

    static Object call(Class<?> type, String method) throws Exception {
        Object object = java.lang.reflect.Modifier.isStatic(type.getMethod(method).getModifiers())
                ? null : type.getDeclaredConstructor().newInstance();
        return type.getMethod(method).invoke(object);
    }

    static byte[] renamed(String from, String to, String text) {
        byte[] bytes = bytes(from);
        byte[] out = bytes.clone();
        outer:
        for (int i = 0; i + text.length() <= bytes.length; i++) {
            for (int j = 0; j < text.length(); j++) {
                if (bytes[i + j] != text.charAt(j)) {
                    continue outer;
                }
            }
            for (int j = 0; j < to.length(); j++) {
                out[i + j] = (byte) to.charAt(j);
            }
        }
        return out;
    }

    public static void main(String[] args) throws Exception {
        show("protected", () -> call(new Table().own("Child").get("Child"), "hear"));
        show("package", () -> call(new Table().own("Child").get("Child"), "sneak"));
        show("package, same loader", () -> call(new Table().own("Child", "Base", "Token").get("Child"), "sneak"));
        show("give", () -> call(new Table().own("Child").get("Child"), "give"));
        show("give another", () -> call(new Table().own("Child", "Token").get("Child"), "give"));
        show("take another", () -> {
            Table table = new Table().own("Child", "Token");
            table.get("Token");
            return call(table.get("Child"), "taken");
        });
        Table catcher = new Table().own("Catcher", "Caught");
        Runnable illegal = () -> {
            throw new IllegalStateException("state");
        };
        Runnable caught = () -> {
            throw new Caught("thing");
        };
        show("catch", () -> catcher.get("Catcher").getMethod("run", Runnable.class).invoke(null, illegal));
        show("catch own", () -> catcher.get("Catcher").getMethod("run", Runnable.class).invoke(null, caught));
        Table shared = new Table().own("Catcher");
        show("catch shared", () -> shared.get("Catcher").getMethod("run", Runnable.class).invoke(null, caught));

        show("null", () -> call(new Table().own("Links").with("Token", name -> null).get("Links"), "link"));
        show("another name",
                () -> call(new Table().own("Links").with("Token", name -> String.class).get("Links"), "link"));
        show("throws", () -> call(new Table().own("Links").with("Token", name -> {
            throw new IllegalStateException("not now");
        }).get("Links"), "link"));
        show("links", () -> call(new Table().own("Links").get("Links"), "link"));
        show("null by name",
                () -> Class.forName("LoaderCorners$Token", true, new Table().with("Token", name -> null)));
        show("slashes", () -> Class.forName("LoaderCorners/Token", true, new Table()));
        show("primitive", () -> Class.forName("int", true, new Table()));
        show("array", () -> Class.forName("[[I", true, new Table()).getName());
        show("forbidden", () -> new Table().define(renamed("LoaderCorners$Loop", "java/lang/Loopable", "LoaderCorners$Loop")));
        show("no class file", () -> {
            try {
                return new Table().define(new byte[] {1, 2, 3, 4});
            } catch (ClassFormatError e) {
                return e.getClass();
            }
        });
        show("no superclass access", () -> new Table().own("Small").get("Loop").getName());
        Table circle = new Table();
        circle.with("Loop", name -> circle.define(renamed(name, "LoaderCorners$Loop", "java/lang/Object##")));
        show("plain loop", () -> circle.get("Loop").getSuperclass());
        show("parent", () -> new Table().own("Token").get("Token").getClassLoader().getParent()
                == ClassLoader.getSystemClassLoader());
        show("name", () -> new Table().own("Token").get("Token").getClassLoader().getName());
    }
}
