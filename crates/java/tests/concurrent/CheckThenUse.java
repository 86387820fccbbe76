// expect: exception java.lang.NullPointerException
// A reference is set to null between its test and its use.
public class CheckThenUse {
    static String text = "text";

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            if (text != null) {
                text.length();
            }
        });
        Thread b = new Thread(() -> text = null);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
