// ArrayList: every common operation, growth, views, errors.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.ListIterator;

public class ArrayListOps {
    public static void main(String[] args) {
        List<Integer> l = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            l.add(i * 7 % 30);
        }
        System.out.println(l + " " + l.size());
        l.add(0, -1);
        l.add(l.size(), 99);
        l.set(5, 500);
        System.out.println(l.remove(1) + " " + l.remove(Integer.valueOf(99)) + " " + l.remove(Integer.valueOf(12345)) + " " + l.indexOf(500) + " "
            + l.lastIndexOf(500) + " " + l.contains(3) + " " + l.get(2));
        l.removeIf(x -> x % 3 == 0);
        System.out.println(l);
        l.replaceAll(x -> x * 2);
        l.sort(null);
        System.out.println(l);
        l.sort(Comparator.<Integer>reverseOrder());
        List<Integer> sub = l.subList(3, 8);
        System.out.println(sub + " " + sub.size());
        sub.set(0, 0);
        sub.remove(1);
        sub.add(77);
        System.out.println(l);
        sub.clear();
        System.out.println(l + " " + l.size());
        l.addAll(2, Arrays.asList(1, 2, 3));
        l.removeAll(List.of(1, 3));
        l.retainAll(Arrays.asList(2, 56, 52, -2, 40));
        System.out.println(l + " " + l.containsAll(List.of(2, 52)));
        ListIterator<Integer> it = l.listIterator();
        while (it.hasNext()) {
            int at = it.nextIndex();
            int v = it.next();
            if (at == 0) {
                it.set(v + 1);
            } else if (at == 1) {
                it.add(1000);
            } else {
                it.remove();
                break;
            }
        }
        while (it.hasPrevious()) {
            System.out.print(it.previousIndex() + "=" + it.previous() + " ");
        }
        System.out.println(l);
        Integer[] array = l.toArray(new Integer[0]);
        Object[] objects = l.toArray();
        Integer[] larger = l.toArray(new Integer[10]);
        System.out.println(array.length + " " + objects.length + " " + larger.length + " " + larger[l.size()]);
        System.out.println(l.equals(Arrays.asList(array)) + " " + l.hashCode() + " " + new ArrayList<>(l).equals(l));
        l.clear();
        System.out.println(l.isEmpty() + " " + l);
        List<Object> self = new ArrayList<>();
        self.add(self);
        self.add(null);
        System.out.println(self + " " + self.indexOf(null));
        String[] backing = {"c", "a", "b"};
        List<String> view = Arrays.asList(backing);
        Collections.sort(view);
        view.set(0, "z");
        System.out.println(Arrays.toString(backing) + " " + view);
        try {
            view.add("d");
        } catch (UnsupportedOperationException e) {
            System.out.println("fixed size");
        }
        for (int k : new int[] {-1, 5}) {
            try {
                new ArrayList<>(List.of(1)).add(k, 2);
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            try {
                new ArrayList<Integer>(k);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
