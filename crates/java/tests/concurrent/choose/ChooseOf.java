// expect: holds
// outcomes: a|b|null
// A choice of one of several values.
import allways.Choose;

public class ChooseOf {
    public static void main(String[] args) {
        System.out.println(Choose.of("a", "b", null, "a"));
    }
}
