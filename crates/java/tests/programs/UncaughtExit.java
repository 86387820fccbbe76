// exit: 1
// An exception that leaves main: its trace with causes on stderr, exit code 1.
public class UncaughtExit {
    static class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static void fail() {
        try {
            int[] a = new int[1];
            a[1] = 2;
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new Failure("failing", e);
        }
    }

    public static void main(String[] args) {
        System.out.println("before");
        try {
            fail();
        } finally {
            System.out.println("finally");
        }
        System.out.println("never");
    }
}
