// Sealed hierarchies of records and classes, evaluated by instanceof chains.
import java.util.Arrays;

public class Sealed {
    sealed interface Term permits Num, Add, Mul, Neg {}

    record Num(long value) implements Term {}

    record Add(Term left, Term right) implements Term {}

    record Mul(Term left, Term right) implements Term {}

    record Neg(Term inner) implements Term {}

    abstract static sealed class Shape {
        abstract double area();
    }

    static final class Disc extends Shape {
        final double r;

        Disc(double r) {
            this.r = r;
        }

        @Override
        double area() {
            return 3 * r * r;
        }
    }

    static non-sealed class Box extends Shape {
        @Override
        double area() {
            return 4;
        }
    }

    static class BigBox extends Box {
        @Override
        double area() {
            return super.area() * 100;
        }
    }

    static long eval(Term t) {
        if (t instanceof Num n) {
            return n.value();
        } else if (t instanceof Add a) {
            return eval(a.left()) + eval(a.right());
        } else if (t instanceof Mul m) {
            return eval(m.left()) * eval(m.right());
        } else if (t instanceof Neg n) {
            return -eval(n.inner());
        }
        throw new AssertionError(t);
    }

    static Term simplify(Term t) {
        if (t instanceof Add a) {
            Term l = simplify(a.left());
            Term r = simplify(a.right());
            return l instanceof Num n && n.value() == 0 ? r : r instanceof Num m && m.value() == 0 ? l : new Add(l, r);
        } else if (t instanceof Mul m) {
            Term l = simplify(m.left());
            Term r = simplify(m.right());
            return l instanceof Num n && n.value() == 1 ? r : new Mul(l, r);
        } else if (t instanceof Neg n && n.inner() instanceof Neg k) {
            return simplify(k.inner());
        }
        return t;
    }

    public static void main(String[] args) {
        Term t = new Add(new Mul(new Num(1), new Add(new Num(0), new Num(6))), new Neg(new Neg(new Num(36))));
        System.out.println(t);
        System.out.println(eval(t) + " " + simplify(t) + " " + eval(simplify(t)));
        System.out.println(simplify(t).equals(new Add(new Num(6), new Num(36))));
        for (Shape s : new Shape[] {new Disc(2), new Box(), new BigBox()}) {
            System.out.println(s.getClass().getSimpleName() + " " + s.area());
        }
        System.out.println(Term.class.isSealed() + " " + Arrays.stream(Term.class.getPermittedSubclasses()).map(Class::getSimpleName)
            .sorted().toList() + " " + Box.class.isSealed());
    }
}
