// Local and anonymous classes that capture variables, parameters and this.
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

public class LocalAnonymous {
    private String owner = "owner";

    Iterable<Integer> range(int from, int to) {
        class Range implements Iterable<Integer> {
            @Override
            public Iterator<Integer> iterator() {
                return new Iterator<>() {
                    int at = from;

                    @Override
                    public boolean hasNext() {
                        return at < to;
                    }

                    @Override
                    public Integer next() {
                        return at++;
                    }

                    @Override
                    public String toString() {
                        return owner + " " + from + ".." + to + " at " + at;
                    }
                };
            }
        }
        return new Range();
    }

    static List<Runnable> actions() {
        List<Runnable> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long l = i * 10_000_000_000L;
            double d = i / 2.0;
            String s = "s" + i;
            all.add(new Runnable() {
                int runs;

                {
                    runs = l > 0 ? 100 : 0;
                }

                @Override
                public void run() {
                    runs++;
                    System.out.println(l + " " + d + " " + s + " " + runs);
                }
            });
        }
        return all;
    }

    abstract static class Greeter {
        final String text;

        Greeter(String a, Object... rest) {
            text = a + rest.length;
        }

        abstract String greet();
    }

    public static void main(String[] args) {
        LocalAnonymous o = new LocalAnonymous();
        int sum = 0;
        for (int i : o.range(3, 7)) {
            sum += i;
        }
        System.out.println(sum);
        Iterator<Integer> it = o.range(1, 3).iterator();
        it.next();
        System.out.println(it);
        for (Runnable r : actions()) {
            r.run();
            r.run();
        }
        Greeter g = new Greeter("text", 1, 2, 3) {
            @Override
            String greet() {
                return "<" + text + ">";
            }
        };
        System.out.println(g.greet() + " " + g.getClass().getName() + " [" + g.getClass().getSimpleName() + "] "
            + g.getClass().isAnonymousClass());
        record Pair(int a, int b) {
            int sum() {
                return a + b;
            }
        }
        enum Local { ONE, TWO }
        interface Doubler {
            int twice(int x);
        }
        Doubler doubler = x -> 2 * x;
        System.out.println(new Pair(1, 2) + " " + new Pair(3, 4).sum() + " " + Local.TWO + " " + doubler.twice(21));
        List<String> words = new ArrayList<>(List.of("pear", "fig", "banana"));
        words.sort(new Comparator<String>() {
            @Override
            public int compare(String a, String b) {
                return a.length() - b.length();
            }
        });
        System.out.println(words);
        int recursive = new Object() {
            int fact(int n) {
                return n < 2 ? 1 : n * fact(n - 1);
            }
        }.fact(6);
        System.out.println(recursive);
    }
}
