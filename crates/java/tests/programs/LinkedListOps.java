// LinkedList as list, queue, deque and stack; Stack and Vector.
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Stack;
import java.util.Vector;

public class LinkedListOps {
    public static void main(String[] args) {
        LinkedList<String> l = new LinkedList<>(List.of("b", "c", "d"));
        l.addFirst("a");
        l.addLast("e");
        l.add(2, "x");
        l.offer("f");
        l.push("top");
        System.out.println(l + " " + l.getFirst() + " " + l.getLast() + " " + l.peek() + " " + l.peekLast() + " " + l.indexOf("x") + " " + l.get(3));
        System.out.println(l.pop() + " " + l.poll() + " " + l.pollLast() + " " + l.removeFirst() + " " + l.removeLast() + " " + l.remove() + " " + l.remove("d")
            + " " + l);
        l.clear();
        System.out.println(l.poll() + " " + l.peek() + " " + l.pollFirst());
        try {
            l.getFirst();
        } catch (NoSuchElementException e) {
            System.out.println("empty " + e.getMessage());
        }
        for (int i = 0; i < 10; i++) {
            l.add("n" + i % 4);
        }
        System.out.println(l.removeFirstOccurrence("n2") + " " + l.removeLastOccurrence("n1") + " " + l + " " + l.lastIndexOf("n0"));
        ListIterator<String> it = l.listIterator(l.size());
        while (it.hasPrevious()) {
            if (it.previous().equals("n3")) {
                it.remove();
                it.add("new");
                it.previous();
            }
        }
        System.out.println(l);
        java.util.Iterator<String> down = l.descendingIterator();
        System.out.println(down.next() + down.next());
        l.subList(1, 4).clear();
        l.set(0, "set");
        System.out.println(l + " " + l.contains("new"));
        Stack<Integer> s = new Stack<>();
        for (int i = 0; i < 4; i++) {
            s.push(i);
        }
        System.out.println(s.pop() + " " + s.peek() + " " + s.search(0) + " " + s.search(9) + " " + s + " " + s.empty());
        try {
            new Stack<>().pop();
        } catch (java.util.EmptyStackException e) {
            System.out.println(e);
        }
        Vector<Integer> v = new Vector<>(2, 3);
        for (int i = 0; i < 6; i++) {
            v.addElement(i);
        }
        v.insertElementAt(9, 1);
        v.removeElementAt(0);
        System.out.println(v + " " + v.capacity() + " " + v.firstElement() + " " + v.elementAt(2) + " " + v.lastElement());
    }
}
