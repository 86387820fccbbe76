// expect: assertion
// A node that is popped and pushed again deceives compareAndSet.
import java.util.concurrent.atomic.AtomicReference;

public class AtomicReuse {
    static final class Node {
        Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    static final Node SECOND = new Node(null);
    static final Node FIRST = new Node(SECOND);
    static final AtomicReference<Node> TOP = new AtomicReference<>(FIRST);
    static Node kept;

    static Node pop() {
        while (true) {
            Node old = TOP.get();
            if (old == null) {
                return null;
            }
            Node next = old.next;
            if (TOP.compareAndSet(old, next)) {
                return old;
            }
        }
    }

    static void push(Node n) {
        Node old;
        do {
            old = TOP.get();
            n.next = old;
        } while (!TOP.compareAndSet(old, n));
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> pop());
        Thread b = new Thread(() -> {
            Node first = pop();
            kept = pop();
            if (first != null) {
                push(first);
            }
        });
        a.start();
        b.start();
        a.join();
        b.join();
        assert kept == null || TOP.get() != kept : "a node is on the stack and off it";
    }
}
