// expect: holds
// outcomes: abc|acb|bac|bca|cab|cba
// Threads run in any order, whatever the order of their start.
public class StartOrder {
    static String order = "";

    static synchronized void add(String s) {
        order += s;
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> add("a"));
        Thread b = new Thread(() -> add("b"));
        a.start();
        b.start();
        add("c");
        a.join();
        b.join();
        System.out.println(order);
    }
}
