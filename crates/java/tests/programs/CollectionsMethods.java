// The static methods of Collections.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

public class CollectionsMethods {
    interface Action {
        void run();
    }

    static void refuse(String what, Action a) {
        try {
            a.run();
            System.out.println(what + " allowed");
        } catch (UnsupportedOperationException e) {
            System.out.println(what + " refused");
        } catch (ClassCastException e) {
            System.out.println(what + " wrong type");
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>(List.of(4, 1, 3, 9, 2, 3));
        Collections.sort(l);
        System.out.println(l + " " + Collections.binarySearch(l, 4) + " " + Collections.binarySearch(l, 5) + " " + Collections.max(l) + Collections.min(l)
            + " " + Collections.frequency(l, 3));
        Collections.reverse(l);
        Collections.swap(l, 0, 5);
        System.out.println(l);
        Collections.rotate(l, 2);
        System.out.println(l);
        Collections.rotate(l, -7);
        System.out.println(l);
        Collections.shuffle(l, new Random(42));
        System.out.println(l);
        Collections.sort(l, Collections.reverseOrder());
        System.out.println(l + " " + Collections.indexOfSubList(l, List.of(3, 3)) + " " + Collections.lastIndexOfSubList(l, List.of(7)));
        Collections.replaceAll(l, 3, 30);
        Collections.fill(l.subList(0, 2), 0);
        System.out.println(l + " " + Collections.nCopies(3, "x") + " " + Collections.disjoint(l, List.of(30)) + " " + Collections.addAll(l, 7, 8) + l);
        List<String> fixed = Collections.unmodifiableList(new ArrayList<>(List.of("a")));
        refuse("add", () -> fixed.add("b"));
        refuse("sort", () -> fixed.sort(null));
        refuse("iterator remove", () -> {
            var it = fixed.iterator();
            it.next();
            it.remove();
        });
        refuse("empty add", () -> Collections.emptyList().add(null));
        refuse("singleton add", () -> Collections.singletonList(1).add(2));
        refuse("map put", () -> Collections.unmodifiableMap(new TreeMap<>()).put("a", 1));
        refuse("checked", () -> ((List) Collections.checkedList(new ArrayList<>(), String.class)).add(1));
        refuse("synchronized", () -> Collections.synchronizedList(new ArrayList<>()).add(1));
        System.out.println(Collections.emptyMap() + " " + Collections.emptySet() + " " + Collections.singleton(5) + " " + Collections.singletonMap("k", "v"));
        Enumeration<Integer> e = Collections.enumeration(List.of(1, 2));
        System.out.println(e.nextElement() + e.nextElement() + " " + e.hasMoreElements() + " " + Collections.list(Collections.enumeration(List.of(3))));
        Map<String, Integer> sync = Collections.synchronizedMap(new TreeMap<>(Map.of("b", 2, "a", 1)));
        Collection<Integer> values = Collections.unmodifiableCollection(sync.values());
        System.out.println(sync + " " + values);
        System.out.println(Collections.newSetFromMap(new TreeMap<String, Boolean>()).add("x") + " " + Collections.asLifoQueue(new java.util.ArrayDeque<>(List
            .of(1, 2))).peek());
        List<Integer> copy = new ArrayList<>(Arrays.asList(0, 0, 0));
        Collections.copy(copy, List.of(1, 2));
        System.out.println(copy);
    }
}
