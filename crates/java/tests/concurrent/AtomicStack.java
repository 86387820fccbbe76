// expect: holds
// outcomes: ab|ba
// A stack of linked nodes with compareAndSet.
import java.util.concurrent.atomic.AtomicReference;

public class AtomicStack {
    record Node(String value, Node next) {}

    static final AtomicReference<Node> TOP = new AtomicReference<>();

    static void push(String s) {
        Node old;
        do {
            old = TOP.get();
        } while (!TOP.compareAndSet(old, new Node(s, old)));
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> push("a"));
        Thread b = new Thread(() -> push("b"));
        a.start();
        b.start();
        a.join();
        b.join();

        StringBuilder s = new StringBuilder();
        for (Node n = TOP.get(); n != null; n = n.next()) {
            s.append(n.value());
        }
        System.out.println(s);
    }
}
