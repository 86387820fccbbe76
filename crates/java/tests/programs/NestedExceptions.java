// Exceptions over several frames: causes, multi-catch, rethrow, order of handlers.
public class NestedExceptions {
    static void level(int depth, int kind) throws Exception {
        if (depth > 0) {
            try {
                level(depth - 1, kind);
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException("at " + depth, e);
            }
            return;
        }
        switch (kind) {
            case 0: throw new IllegalArgumentException("zero");
            case 1: throw new java.io.IOException("one");
            case 2: throw new Exception("two", new Error("cause"));
            case 3: throw new StackOverflowError("three");
            case 4: throw new NumberFormatException("four");
            case 5: Integer.parseInt("five"); break;
            case 6: Object o = "six"; System.out.println((Integer) o); break;
            default: System.out.println("no throw");
        }
    }

    static String chain(Throwable t) {
        StringBuilder s = new StringBuilder();
        for (Throwable c = t; c != null; c = c.getCause()) {
            s.append(c.getClass().getSimpleName());
            if (!(c instanceof ClassCastException)) {
                s.append('(').append(c.getMessage()).append(')');
            }
            s.append(' ');
        }
        return s.toString();
    }

    static void rethrow(int kind) throws java.io.IOException {
        try {
            if (kind == 0) {
                throw new java.io.FileNotFoundException("file");
            }
            throw new IllegalStateException("state");
        } catch (final Exception e) {
            throw e;
        }
    }

    public static void main(String[] args) {
        for (int kind = 0; kind < 8; kind++) {
            for (int depth = 0; depth < 3; depth++) {
                try {
                    level(depth, kind);
                    System.out.println("returned");
                } catch (IllegalArgumentException | java.io.IOException e) {
                    System.out.println("a " + chain(e));
                } catch (RuntimeException e) {
                    System.out.println("b " + chain(e));
                } catch (Exception e) {
                    System.out.println("c " + chain(e));
                } catch (Throwable e) {
                    System.out.println("d " + chain(e));
                }
            }
        }
        for (int kind = 0; kind < 2; kind++) {
            try {
                rethrow(kind);
            } catch (Exception e) {
                System.out.println(e);
            }
        }
        try {
            throw (RuntimeException) new RuntimeException("outer").initCause(new Exception("inner"));
        } catch (RuntimeException e) {
            System.out.println(e.getCause());
            try {
                e.initCause(new Error());
            } catch (IllegalStateException again) {
                System.out.println(again.getMessage());
            }
        }
        System.out.println(new RuntimeException(new Exception("inner")));
        System.out.println(new Exception((String) null));
        System.out.println(new Exception() {
            @Override
            public String getLocalizedMessage() {
                return "localised";
            }
        }.toString().replaceAll("^.*: ", ": "));
    }
}
