// A small ledger: records, sealed interfaces, pattern matching, streams with collectors, text blocks.
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class BankLedger {
    sealed interface Entry permits Deposit, Withdrawal, Transfer {
        String account();

        BigDecimal amount();

        private BigDecimal scaled() {
            return amount().setScale(2, RoundingMode.HALF_EVEN);
        }

        default String shown() {
            return account() + " " + scaled().toPlainString();
        }
    }

    record Deposit(String account, BigDecimal amount) implements Entry {
        Deposit {
            Objects.requireNonNull(account, "account");
            if (amount.signum() <= 0) {
                throw new IllegalArgumentException("not positive: " + amount);
            }
        }
    }

    record Withdrawal(String account, BigDecimal amount, String reason) implements Entry {
        Withdrawal(String account, String amount) {
            this(account, new BigDecimal(amount), "cash");
        }
    }

    record Transfer(String account, String to, BigDecimal amount) implements Entry {}

    record Pair<A, B>(A first, B second) {
        static <T extends Comparable<T>> Pair<T, T> ordered(T a, T b) {
            return a.compareTo(b) <= 0 ? new Pair<>(a, b) : new Pair<>(b, a);
        }
    }

    static String describe(Entry entry) {
        if (entry instanceof Deposit d && d.amount().compareTo(BigDecimal.TEN) > 0) {
            return "large deposit of " + d.amount();
        } else if (entry instanceof Transfer t) {
            return t.account() + "->" + t.to();
        }
        return entry.shown();
    }

    public static void main(String[] args) {
        List<Entry> entries = List.of(
            new Deposit("ada", new BigDecimal("100.005")),
            new Withdrawal("ada", "30.1"),
            new Deposit("bob", BigDecimal.ONE),
            new Transfer("ada", "bob", new BigDecimal("12.345")),
            new Withdrawal("cid", new BigDecimal("7"), "fee"));
        entries.forEach(e -> System.out.println(describe(e)));
        System.out.println(entries.get(1) + " " + entries.get(1).equals(new Withdrawal("ada", "30.1")) + " " + entries.get(1).equals(new Withdrawal("ada", "30.10")));
        Map<String, BigDecimal> sums = entries.stream()
            .collect(Collectors.groupingBy(Entry::account, TreeMap::new, Collectors.reducing(BigDecimal.ZERO, Entry::amount, BigDecimal::add)));
        System.out.println(sums);
        System.out.println(entries.stream().collect(Collectors.partitioningBy(e -> e instanceof Deposit, Collectors.mapping(Entry::account, Collectors.joining("/", "<", ">")))));
        System.out.println(entries.stream().max(Comparator.comparing(Entry::amount).thenComparing(Entry::account)).map(Entry::shown).orElse("none"));
        String teed = entries.stream().collect(
            Collectors.teeing(Collectors.counting(), Collectors.mapping(Entry::amount, Collectors.maxBy(Comparator.naturalOrder())), (n, most) -> n + " " + most.orElseThrow()));
        System.out.println(teed);
        System.out.println(IntStream.rangeClosed(1, 20).boxed().collect(Collectors.toMap(i -> i % 3, Function.identity(), Integer::sum)));
        System.out.println(IntStream.of(3, 1, 2).summaryStatistics());
        System.out.println(Pair.ordered("z", "a") + " " + new Pair<>(null, List.of()).hashCode() + " " + new Pair<>(1, 'c').hashCode());
        BinaryOperator<Integer> later = BinaryOperator.maxBy(Comparator.reverseOrder());
        System.out.println(later.apply(3, 9));
        System.out.print("""
            Account:\t"%s"
              balance \
            %s
            trailing\s\s
            """.formatted("ada", sums.get("ada")));
        for (Runnable bad : List.<Runnable>of(() -> new Deposit(null, BigDecimal.ONE), () -> new Deposit("x", BigDecimal.ZERO), () -> List.of(1, null), () -> Map.of("a", 1, "a", 2),
            () -> entries.remove(0), () -> entries.stream().collect(Collectors.toMap(Entry::account, Entry::amount)))) {
            try {
                bad.run();
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
