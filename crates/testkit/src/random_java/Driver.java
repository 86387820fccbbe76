import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;

/** Runs classes of a directory, each several times in one JVM, and says how each run ended. */
public class Driver {
    static final PrintStream REPORT = System.out;
    static final long TIMEOUT_MS = 5000;
    /** All threads of a program blocked for so long: nobody will wake them. */
    static final long QUIET_MS = 100;

    /** The threads of one run; knows which failure was first. */
    static class Run extends ThreadGroup {
        String failure;

        Run(String name) {
            super(name);
        }

        @Override public synchronized void uncaughtException(Thread thread, Throwable failure) {
            if (this.failure == null) {
                this.failure = failure instanceof AssertionError ? "assertion" : "exception";
            }
        }

        /** "exit", "deadlock" or "timeout". */
        String await() throws InterruptedException {
            long start = System.nanoTime();
            long busy = start;
            Thread[] threads = new Thread[16];
            while (true) {
                int n = enumerate(threads);
                if (n == 0) {
                    return "exit";
                }
                long now = System.nanoTime();
                for (int i = 0; i < n; i++) {
                    Thread.State state = threads[i].getState();
                    if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) {
                        busy = now;
                    }
                }
                if (now - busy > QUIET_MS * 1_000_000) {
                    return "deadlock";
                }
                if (now - start > TIMEOUT_MS * 1_000_000) {
                    return "timeout";
                }
                Thread.sleep(1);
            }
        }
    }

    static void run(URL directory, String name) throws Exception {
        // A loader of its own: static fields start afresh, and threads that never end bother nobody.
        URLClassLoader loader = new URLClassLoader(new URL[] {directory}, ClassLoader.getPlatformClassLoader());
        Method main = loader.loadClass(name).getMethod("main", String[].class);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true));
        Run run = new Run(name);
        Thread first = new Thread(run, () -> {
            try {
                main.invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException e) {
                run.uncaughtException(Thread.currentThread(), e.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        });
        first.start();
        String kind = run.await();
        synchronized (run) {
            if (run.failure != null && !kind.equals("timeout")) {
                kind = run.failure;
            }
        }
        String text = output.toString().replace(System.lineSeparator(), "\\n");
        REPORT.println(name + " " + kind + " " + text);
    }

    public static void main(String[] args) throws Exception {
        URL directory = new File(args[0]).toURI().toURL();
        int times = Integer.parseInt(args[1]);
        for (int i = 2; i < args.length; i++) {
            for (int n = 0; n < times; n++) {
                run(directory, args[i]);
            }
        }
        REPORT.flush();
        Runtime.getRuntime().halt(0);
    }
}
