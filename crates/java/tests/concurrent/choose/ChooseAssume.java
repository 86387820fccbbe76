// expect: holds
// outcomes: 0|2
// Runs with an odd number are none.
import allways.Choose;

public class ChooseAssume {
    public static void main(String[] args) {
        int n = Choose.range(0, 3);
        try {
            Choose.assume(n % 2 == 0);
        } finally {
            assert n % 2 == 0 : "a finally block of a run that is none";
        }
        System.out.println(n);
    }
}
