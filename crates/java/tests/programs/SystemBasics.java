// System: properties, arguments, clocks that only go forward, line separators.
public class SystemBasics {
    public static void main(String[] args) {
        System.out.println(args.length + " " + System.getProperty("no.such") + " " + System.getProperty("no.such", "default") + " " + Integer.getInteger("no.such", 3));
        System.setProperty("my.key", "my value");
        System.out.println(System.getProperty("my.key") + " " + System.clearProperty("my.key") + " " + System.getProperty("my.key"));
        System.out.println(System.getProperty("java.version").startsWith("17") + " " + System.getProperty("file.separator") + " " + System.lineSeparator().length() + " "
            + System.getProperty("java.specification.version"));
        long a = System.nanoTime();
        long b = System.nanoTime();
        System.out.println((b >= a) + " " + (System.currentTimeMillis() > 1_000_000_000_000L));
        System.out.println(System.getenv("NO_SUCH_VARIABLE_HERE") + " " + (System.getSecurityManager() == null));
        try {
            System.getProperty("");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.getProperty(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Runtime.version().feature());
        System.gc();
        System.out.print("no newline");
        System.out.println();
        System.out.println((Object) null);
        System.out.println(new char[] {'c', 'h'});
        System.out.println(1.0f);
        System.out.append("app").append('x').append("abcdef", 1, 3).println();
        System.out.write(new byte[] {'o', 'k', '\n'}, 0, 3);
        System.out.flush();
    }
}
