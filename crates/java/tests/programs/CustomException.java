// Exception classes of the program's own, checked and unchecked, with state.
public class CustomException {
    static class AppException extends Exception {
        private static final long serialVersionUID = 1L;
        final int code;

        AppException(int code, String message) {
            super(message);
            this.code = code;
        }

        AppException(int code, Throwable cause) {
            super(cause);
            this.code = code;
        }
    }

    static class Retry extends AppException {
        private static final long serialVersionUID = 1L;

        Retry(int attempt) {
            super(attempt, "attempt " + attempt);
        }

        @Override
        public String toString() {
            return "Retry#" + code;
        }
    }

    static class Quiet extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Quiet() {
            super("quiet", null, false, false);
        }

        @Override
        public String getMessage() {
            return "[" + super.getMessage() + "]";
        }
    }

    static int attempt(int n) throws AppException {
        if (n < 3) {
            throw new Retry(n);
        }
        if (n > 4) {
            try {
                throw new Quiet();
            } catch (Quiet q) {
                throw new AppException(n, q);
            }
        }
        return n * n;
    }

    @SuppressWarnings("unchecked")
    static <E extends Throwable> void sneaky(Throwable t) throws E {
        throw (E) t;
    }

    public static void main(String[] args) {
        for (int n = 1; n < 7; n++) {
            try {
                System.out.println(attempt(n));
            } catch (Retry r) {
                System.out.println(r + " " + r.getMessage());
            } catch (AppException e) {
                System.out.println(e.code + " " + e + " / " + e.getCause());
            }
        }
        Quiet q = new Quiet();
        q.addSuppressed(new Error());
        System.out.println(q + " " + q.getStackTrace().length + " " + q.getSuppressed().length);
        try {
            CustomException.<RuntimeException>sneaky(new AppException(9, "sneaked"));
        } catch (Exception e) {
            System.out.println(e + " " + ((AppException) e).code);
        }
    }
}
