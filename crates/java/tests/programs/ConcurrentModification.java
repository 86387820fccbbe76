// Fail-fast iterators, iterator misuse, safe removal.
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

public class ConcurrentModification {
    static void removing(Collection<Integer> c, int victim) {
        try {
            for (Integer i : c) {
                if (i == victim) {
                    c.remove(i);
                }
            }
            System.out.println(c.getClass().getSimpleName() + " fine " + c);
        } catch (ConcurrentModificationException e) {
            System.out.println(c.getClass().getSimpleName() + " fails " + e.getMessage() + " " + c);
        }
    }

    public static void main(String[] args) {
        List<Integer> base = List.of(1, 2, 3, 4);
        for (int victim : new int[] {1, 3, 4}) {
            removing(new ArrayList<>(base), victim);
            removing(new LinkedList<>(base), victim);
            removing(new CopyOnWriteArrayList<>(base), victim);
            removing(new java.util.TreeSet<>(base), victim);
            removing(new java.util.ArrayDeque<>(base), victim);
        }
        Map<Integer, String> maps = new HashMap<>(Map.of(1, "a", 2, "b"));
        try {
            for (Integer k : maps.keySet()) {
                maps.put(k + 10, "x");
            }
        } catch (ConcurrentModificationException e) {
            System.out.println("map fails");
        }
        Map<Integer, String> tree = new TreeMap<>(Map.of(1, "a", 2, "b"));
        for (Map.Entry<Integer, String> e : tree.entrySet()) {
            tree.put(e.getKey(), "same key");
        }
        System.out.println(tree);
        Map<Integer, String> concurrent = new ConcurrentHashMap<>(Map.of(1, "a", 2, "b"));
        for (Integer k : concurrent.keySet()) {
            concurrent.remove(k);
        }
        System.out.println(concurrent);
        Iterator<Integer> it = new ArrayList<>(base).iterator();
        try {
            it.remove();
        } catch (IllegalStateException e) {
            System.out.println("remove before next");
        }
        it.next();
        it.remove();
        try {
            it.remove();
        } catch (IllegalStateException e) {
            System.out.println("remove twice");
        }
        while (it.hasNext()) {
            it.next();
        }
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println("at end");
        }
        List<Integer> list = new ArrayList<>(base);
        List<Integer> sub = list.subList(0, 2);
        list.add(9);
        try {
            sub.size();
        } catch (ConcurrentModificationException e) {
            System.out.println("view stale");
        }
        try {
            list.forEach(x -> list.remove(0));
        } catch (ConcurrentModificationException e) {
            System.out.println("forEach fails " + list);
        }
    }
}
