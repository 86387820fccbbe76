// Optional and its primitive variants.
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

public class Optionals {
    public static void main(String[] args) {
        Optional<String> some = Optional.of("value");
        Optional<String> none = Optional.empty();
        for (Optional<String> o : java.util.List.of(some, none, Optional.<String>ofNullable(null))) {
            System.out.println(o + " " + o.isPresent() + o.isEmpty() + " " + o.map(String::length) + " " + o.filter(s -> s.startsWith("x")) + " "
                + o.flatMap(s -> Optional.of(s + s)) + " " + o.orElse("else") + " " + o.orElseGet(() -> "got") + " " + o.or(() -> Optional.of("or"))
                + " " + o.stream().count() + " " + o.map(s -> (String) null));
            o.ifPresentOrElse(s -> System.out.println("present " + s), () -> System.out.println("absent"));
            o.ifPresent(System.out::println);
            try {
                System.out.println(o.get());
            } catch (NoSuchElementException e) {
                System.out.println(e.getMessage());
            }
            try {
                System.out.println(o.orElseThrow(() -> new IllegalStateException("none here")));
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(some.equals(Optional.of("value")) + " " + none.equals(Optional.empty()) + " " + (some.hashCode() == "value".hashCode()));
        try {
            Optional.of(null);
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
        System.out.println(OptionalInt.of(5) + " " + OptionalInt.empty() + " " + OptionalLong.of(7L).getAsLong() + " " + OptionalDouble.of(0.5).orElse(1)
            + " " + OptionalInt.empty().orElse(9) + " " + OptionalInt.of(3).equals(OptionalInt.of(3)));
    }
}
