// Inner classes with outer instances, shadowed names, qualified this and new, deep nesting.
public class InnerClasses {
    private int x = 1;
    private static int created;

    class Inner {
        private int x = 2;

        class Deep {
            private int x = 3;

            String show(int x) {
                return x + " " + this.x + " " + Inner.this.x + " " + InnerClasses.this.x;
            }

            void bump() {
                InnerClasses.this.x += 10;
                Inner.this.x *= 10;
                x--;
                created++;
            }
        }

        Deep deep() {
            return new Deep();
        }
    }

    class Sub extends Inner {
        int outer() {
            return InnerClasses.this.x + super.x;
        }
    }

    static class Elsewhere extends Inner {
        Elsewhere(InnerClasses outer) {
            outer.super();
        }
    }

    static class Chain {
        final int value;
        final Chain next;

        Chain(int value, Chain next) {
            this.value = value;
            this.next = next;
        }

        class Cursor {
            Chain at = Chain.this;

            boolean has() {
                return at != null;
            }

            int take() {
                int v = at.value;
                at = at.next;
                return v;
            }
        }
    }

    public static void main(String[] args) {
        InnerClasses o = new InnerClasses();
        Inner i = o.new Inner();
        Inner.Deep d = i.new Deep();
        System.out.println(d.show(4));
        d.bump();
        i.deep().bump();
        System.out.println(d.show(5) + " created " + created);
        System.out.println(i.deep().show(6));
        System.out.println(o.new Sub().outer());
        System.out.println(new Elsewhere(o).deep().show(7));
        Chain.Cursor c = new Chain(1, new Chain(2, new Chain(3, null))).new Cursor();
        while (c.has()) {
            System.out.print(c.take() + " ");
        }
        System.out.println();
        try {
            InnerClasses none = null;
            none.new Inner();
        } catch (NullPointerException e) {
            System.out.println("no outer");
        }
        System.out.println(d.getClass().getName() + " " + d.getClass().getSimpleName() + " "
            + d.getClass().getEnclosingClass().getName() + " " + d.getClass().getDeclaringClass().getSimpleName());
    }
}
