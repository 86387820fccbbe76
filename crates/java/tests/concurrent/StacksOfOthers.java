// expect: holds
// outcomes: none|started|waiting
// A thread is looked at before it runs, while it waits, or when it has ended.
public class StacksOfOthers {
    static final Object LOCK = new Object();
    static boolean go;

    static void await() {
        synchronized (LOCK) {
            while (!go) {
                try {
                    LOCK.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(StacksOfOthers::await);
        if (other.getStackTrace().length != 0) {
            throw new AssertionError("not started");
        }
        other.start();
        if (args.length == 0) {
            new Thread(() -> {
                synchronized (LOCK) {
                    go = true;
                    LOCK.notify();
                }
            }).start();
        }
        StackTraceElement[] stack = other.getStackTrace();
        String seen = stack.length == 0 ? "none" : "started";
        for (int i = 0; i + 1 < stack.length; i++) {
            boolean waits = stack[i].getMethodName().equals("wait") && stack[i].getClassName().equals("java.lang.Object");
            if (waits && stack[i + 1].getMethodName().equals("await")) {
                seen = "waiting";
            }
        }
        System.out.println(seen);
        if (!Thread.getAllStackTraces().containsKey(Thread.currentThread())) {
            throw new AssertionError("this thread is alive");
        }
    }
}
