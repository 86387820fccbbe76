// java.util.logging with a handler and a formatter of the program's own.
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

public class Loggers {
    public static void main(String[] args) {
        Logger log = Logger.getLogger("a.b");
        log.setUseParentHandlers(false);
        log.setLevel(Level.FINE);
        Handler h = new StreamHandler(System.out, new Formatter() {
            @Override
            public String format(LogRecord r) {
                return r.getLevel().getName() + " " + r.getLoggerName() + " " + formatMessage(r) + (r.getThrown() == null ? "" : " " + r.getThrown()) + "\n";
            }
        });
        h.setLevel(Level.ALL);
        log.addHandler(h);
        log.info("plain");
        log.log(Level.WARNING, "with {0} and {1}", new Object[] {1, "two"});
        log.fine(() -> "lazy");
        log.finer(() -> {
            throw new AssertionError("never built");
        });
        log.log(Level.SEVERE, "failure", new IllegalStateException("x"));
        Logger child = Logger.getLogger("a.b.c");
        child.info("from child");
        System.out.flush();
        h.setFilter(r -> !r.getMessage().startsWith("hidden"));
        log.info("hidden one");
        log.info("shown one");
        h.flush();
        System.out.println(child.getParent() == log);
        System.out.println(log.isLoggable(Level.FINER) + " " + child.getLevel() + " " + Level.parse("CONFIG").intValue());
    }
}
