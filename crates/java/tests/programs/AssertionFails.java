// exit: 1
// An assertion that fails in main: text and trace on stderr, exit code 1.
public class AssertionFails {
    static void verify(int n) {
        assert n < 3 : "n is " + n;
        System.out.println("verified " + n);
    }

    public static void main(String[] args) {
        for (int n = 0; n < 5; n++) {
            verify(n);
        }
    }
}
