// Default, static and private interface methods; diamonds; super calls to interfaces.
public class Interfaces {
    interface Named {
        String name();

        default String greet() {
            return prefix() + name();
        }

        private String prefix() {
            return "Named: ";
        }

        static Named of(String s) {
            return () -> s;
        }
    }

    interface Polite extends Named {
        @Override
        default String greet() {
            return "Dear " + Named.super.greet();
        }
    }

    interface Loud extends Named {
        @Override
        default String greet() {
            return shout(Named.super.greet());
        }

        private static String shout(String s) {
            return s.toUpperCase(java.util.Locale.ROOT) + "!";
        }
    }

    static class Both implements Polite, Loud {
        @Override
        public String name() {
            return "both";
        }

        @Override
        public String greet() {
            return Polite.super.greet() + " / " + Loud.super.greet();
        }
    }

    static class Base {
        public String greet() {
            return "class wins";
        }
    }

    static class Mixed extends Base implements Named {
        @Override
        public String name() {
            return "mixed";
        }
    }

    interface Top {
        default String id() {
            return "top";
        }
    }

    interface Left extends Top {}

    interface Right extends Top {
        @Override
        default String id() {
            return "right";
        }
    }

    static class Diamond implements Left, Right {}

    interface Countdown {
        int LIMIT = 3;

        static int sum() {
            int s = 0;
            for (int i = LIMIT; i > 0; i--) {
                s += i;
            }
            return s;
        }
    }

    static class Impl implements Countdown {
        int limit() {
            return LIMIT;
        }
    }

    public static void main(String[] args) {
        Named[] all = {Named.of("lambda"), new Both(), new Mixed(), (Polite) () -> "polite", (Loud) () -> "loud"};
        for (Named n : all) {
            System.out.println(n.name() + ": " + n.greet());
        }
        System.out.println(new Diamond().id() + " " + ((Top) new Diamond()).id() + " " + ((Left) new Diamond()).id());
        System.out.println(Countdown.sum() + " " + new Impl().limit() + " " + Impl.LIMIT);
        Object o = new Both();
        System.out.println((o instanceof Named) + " " + (o instanceof Loud) + " " + (o instanceof Top));
        Named asObject = Named.of("x");
        System.out.println(asObject.equals(asObject) + " " + asObject.getClass().isInterface());
    }
}
