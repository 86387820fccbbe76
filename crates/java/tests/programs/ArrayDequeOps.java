// ArrayDeque: both ends, wrap-around, growth, iteration.
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

public class ArrayDequeOps {
    public static void main(String[] args) {
        Deque<Integer> d = new ArrayDeque<>(2);
        for (int i = 0; i < 20; i++) {
            if (i % 3 == 0) {
                d.addFirst(i);
            } else {
                d.addLast(i);
            }
            if (i % 5 == 4) {
                System.out.print(d.pollFirst() + "/" + d.pollLast() + " ");
            }
        }
        System.out.println(d + " " + d.size());
        System.out.println(d.peekFirst() + " " + d.peekLast() + " " + d.getFirst() + " " + d.getLast() + " " + d.contains(7) + " " + d.remove(7) + " "
            + d.removeFirstOccurrence(16) + " " + d);
        Iterator<Integer> back = d.descendingIterator();
        StringBuilder b = new StringBuilder();
        while (back.hasNext()) {
            int v = back.next();
            b.append(v).append(' ');
            if (v % 2 == 0) {
                back.remove();
            }
        }
        System.out.println(b + "-> " + d);
        d.push(100);
        d.offer(200);
        System.out.println(d.pop() + " " + d.removeLast() + " " + d.element());
        d.clear();
        System.out.println(d.isEmpty() + " " + d.poll() + " " + d.peek());
        try {
            d.removeFirst();
        } catch (NoSuchElementException e) {
            System.out.println("empty");
        }
        try {
            d.add(null);
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
        String text = "{[()]}([)]";
        Deque<Character> stack = new ArrayDeque<>();
        int bad = -1;
        for (int i = 0; i < text.length() && bad < 0; i++) {
            char c = text.charAt(i);
            int open = "([{".indexOf(c);
            if (open >= 0) {
                stack.push(")]}".charAt(open));
            } else if (stack.isEmpty() || stack.pop() != c) {
                bad = i;
            }
        }
        System.out.println(bad + " " + stack);
    }
}
