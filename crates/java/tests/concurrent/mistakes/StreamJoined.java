// expect: holds
// outcomes: 1,4,9
// A stream, mapped and joined.
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class StreamJoined {
    public static void main(String[] args) {
        System.out.println(IntStream.rangeClosed(1, 3).mapToObj(i -> "" + i * i).collect(Collectors.joining(",")));
    }
}
