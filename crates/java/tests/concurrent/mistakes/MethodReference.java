// expect: holds
// outcomes: 4
// A reference to a static method, applied to a string.
import java.util.function.Function;

public class MethodReference {
    public static void main(String[] args) {
        Function<String, Integer> parse = Integer::parseInt;
        System.out.println(parse.apply("4"));
    }
}
