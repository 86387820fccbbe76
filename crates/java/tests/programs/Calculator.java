// A small expression parser and evaluator, as a program with many classes working together.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Calculator {
    interface Node {
        double eval(Map<String, Double> env);
    }

    record Const(double v) implements Node {
        @Override
        public double eval(Map<String, Double> env) {
            return v;
        }
    }

    record Var(String name) implements Node {
        @Override
        public double eval(Map<String, Double> env) {
            Double v = env.get(name);
            if (v == null) {
                throw new Problem("unknown " + name);
            }
            return v;
        }
    }

    record Bin(char op, Node l, Node r) implements Node {
        @Override
        public double eval(Map<String, Double> env) {
            double a = l.eval(env);
            double b = r.eval(env);
            return switch (op) {
                case '+' -> a + b;
                case '-' -> a - b;
                case '*' -> a * b;
                case '/' -> a / b;
                default -> throw new Problem("operator " + op);
            };
        }
    }

    static class Problem extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Problem(String m) {
            super(m);
        }
    }

    static class Parser {
        private final List<String> tokens = new ArrayList<>();
        private int at;

        Parser(String s) {
            int i = 0;
            while (i < s.length()) {
                char c = s.charAt(i);
                int start = i;
                if (Character.isWhitespace(c)) {
                    i++;
                    continue;
                } else if (Character.isDigit(c)) {
                    while (i < s.length() && (Character.isDigit(s.charAt(i)) || s.charAt(i) == '.')) {
                        i++;
                    }
                } else if (Character.isLetter(c)) {
                    while (i < s.length() && Character.isLetterOrDigit(s.charAt(i))) {
                        i++;
                    }
                } else {
                    i++;
                }
                tokens.add(s.substring(start, i));
            }
        }

        private String peek() {
            return at < tokens.size() ? tokens.get(at) : "";
        }

        private String take() {
            String t = peek();
            at++;
            return t;
        }

        Node whole() {
            Node n = sum();
            if (!peek().isEmpty()) {
                throw new Problem("left over: " + peek());
            }
            return n;
        }

        private Node sum() {
            Node n = product();
            while (peek().equals("+") || peek().equals("-")) {
                n = new Bin(take().charAt(0), n, product());
            }
            return n;
        }

        private Node product() {
            Node n = atom();
            while (peek().equals("*") || peek().equals("/")) {
                n = new Bin(take().charAt(0), n, atom());
            }
            return n;
        }

        private Node atom() {
            String t = take();
            if (t.isEmpty()) {
                throw new Problem("end of input");
            }
            if (t.equals("(")) {
                Node n = sum();
                if (!take().equals(")")) {
                    throw new Problem("missing )");
                }
                return n;
            }
            if (t.equals("-")) {
                return new Bin('-', new Const(0), atom());
            }
            return Character.isDigit(t.charAt(0)) ? new Const(Double.parseDouble(t)) : new Var(t);
        }
    }

    public static void main(String[] args) {
        Map<String, Double> env = new HashMap<>(Map.of("x", 3.0, "half", 0.5));
        for (String s : new String[] {"1 + 2 * 3", "(1 + 2) * 3", "x * x - half", "-x / (2 - 2)", "2 * (3 + 4", "1 2", "y + 1", "", "10 / 4 / 5", "--1", "3 $ 4"}) {
            try {
                System.out.println(s + " = " + new Parser(s).whole().eval(env));
            } catch (Problem p) {
                System.out.println(s + " : " + p.getMessage());
            }
        }
        System.out.println(new Parser("a*(b+1)").whole());
    }
}
