// Enum constants with bodies, abstract methods, functional fields, a state machine.
import java.util.function.IntBinaryOperator;

public class EnumBodies {
    enum Op {
        PLUS("+") {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        MINUS("-") {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        },
        TIMES("*") {
            private int uses;

            @Override
            int apply(int a, int b) {
                uses++;
                return a * b * uses;
            }
        };

        final String symbol;

        Op(String symbol) {
            this.symbol = symbol;
        }

        abstract int apply(int a, int b);
    }

    enum Fn {
        MAX(Math::max), MIN(Math::min), SHIFT((a, b) -> a << b);

        private final IntBinaryOperator f;

        Fn(IntBinaryOperator f) {
            this.f = f;
        }

        int of(int a, int b) {
            return f.applyAsInt(a, b);
        }
    }

    enum Light {
        RED {
            @Override
            Light next() {
                return GREEN;
            }
        },
        GREEN {
            @Override
            Light next() {
                return AMBER;
            }
        },
        AMBER {
            @Override
            Light next() {
                return RED;
            }
        };

        abstract Light next();
    }

    public static void main(String[] args) {
        for (Op op : Op.values()) {
            System.out.println(7 + op.symbol + 3 + "=" + op.apply(7, 3) + " " + op.apply(7, 3) + " " + op.getClass().getName());
        }
        for (Fn fn : Fn.values()) {
            System.out.println(fn + " " + fn.of(5, 2));
        }
        Light l = Light.RED;
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < 7; i++) {
            path.append(l).append(' ');
            l = l.next();
        }
        System.out.println(path);
        System.out.println(Light.RED.getClass().getSuperclass() == Light.class);
    }
}
