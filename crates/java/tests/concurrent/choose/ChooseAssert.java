// expect: assertion
// One of four choices makes an assertion fail.
import allways.Choose;

public class ChooseAssert {
    public static void main(String[] args) {
        int n = Choose.range(0, 3);
        assert n != 2 : "n is " + n;
    }
}
