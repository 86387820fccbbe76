// Abstract classes and template methods; an abstract class that leaves an interface open.
import java.util.ArrayList;
import java.util.List;

public class AbstractClasses {
    interface Visitor<R> {
        R number(int n);

        R sum(Expr l, Expr r);

        R product(Expr l, Expr r);
    }

    abstract static class Expr {
        abstract <R> R accept(Visitor<R> v);

        static Expr num(int n) {
            return new Expr() {
                @Override
                <R> R accept(Visitor<R> v) {
                    return v.number(n);
                }
            };
        }

        Expr plus(Expr other) {
            Expr me = this;
            return new Expr() {
                @Override
                <R> R accept(Visitor<R> v) {
                    return v.sum(me, other);
                }
            };
        }

        Expr times(Expr other) {
            Expr me = this;
            return new Expr() {
                @Override
                <R> R accept(Visitor<R> v) {
                    return v.product(me, other);
                }
            };
        }
    }

    abstract static class Walker implements Visitor<String> {
        int visits;

        @Override
        public String number(int n) {
            visits++;
            return open() + n + close();
        }

        protected abstract String open();

        protected String close() {
            return "";
        }
    }

    static class Printer extends Walker {
        @Override
        public String sum(Expr l, Expr r) {
            return "(" + l.accept(this) + "+" + r.accept(this) + ")";
        }

        @Override
        public String product(Expr l, Expr r) {
            return l.accept(this) + "*" + r.accept(this);
        }

        @Override
        protected String open() {
            return "#";
        }
    }

    static class Evaluator implements Visitor<Integer> {
        @Override
        public Integer number(int n) {
            return n;
        }

        @Override
        public Integer sum(Expr l, Expr r) {
            return l.accept(this) + r.accept(this);
        }

        @Override
        public Integer product(Expr l, Expr r) {
            return l.accept(this) * r.accept(this);
        }
    }

    abstract static class Sorter<T> {
        protected abstract boolean before(T a, T b);

        final List<T> sort(List<T> in) {
            List<T> out = new ArrayList<>();
            for (T t : in) {
                int i = 0;
                while (i < out.size() && !before(t, out.get(i))) {
                    i++;
                }
                out.add(i, t);
            }
            return out;
        }
    }

    public static void main(String[] args) {
        Expr e = Expr.num(2).plus(Expr.num(3)).times(Expr.num(4).plus(Expr.num(-1)));
        Printer p = new Printer();
        System.out.println(e.accept(p) + " = " + e.accept(new Evaluator()) + ", visits " + p.visits);
        Sorter<String> byLength = new Sorter<>() {
            @Override
            protected boolean before(String a, String b) {
                return a.length() < b.length();
            }
        };
        System.out.println(byLength.sort(List.of("ccc", "a", "bb", "d", "eeee", "")));
    }
}
