// Private members reached across the classes of one nest, fields, methods and constructors.
public class NestMates {
    private int secret = 1;
    private static long total = 10;

    private NestMates() {}

    private int own(int n) {
        return secret * n;
    }

    static class Friend {
        private final String hidden;
        private double d = 0.5;

        private Friend(String hidden) {
            this.hidden = hidden;
        }

        private static Friend make() {
            return new Friend("made");
        }

        int peek(NestMates o) {
            o.secret += 5;
            o.secret++;
            total += o.secret;
            return o.own(2) + new NestMates().own(100);
        }

        private interface Private {
            private int inside() {
                return 77;
            }
        }

        private static class Last implements Private {
            private Last() {}
        }
    }

    private class Child extends Friend {
        private Child() {
            super("child");
        }

        private String both() {
            return ((Friend) this).hidden + secret;
        }
    }

    private enum Kind {
        A(1), B(2);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    public static void main(String[] args) {
        NestMates o = new NestMates();
        Friend f = Friend.make();
        System.out.println(f.hidden + " " + f.peek(o) + " " + o.secret + " " + total);
        f.d *= 3;
        System.out.println(f.d++ + " " + f.d);
        System.out.println(((Friend.Private) new Friend.Last()).inside());
        System.out.println(o.new Child().both());
        System.out.println(Kind.A.weight + Kind.B.weight);
        System.out.println(Friend.Last.class.getNestHost().getSimpleName() + " " + NestMates.class.isNestmateOf(Kind.class) + " "
            + NestMates.class.isNestmateOf(String.class));
    }
}
