// ConcurrentHashMap, ConcurrentSkipListMap and concurrent queues, used by one thread.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;

public class ConcurrentMaps {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, String> m = new ConcurrentHashMap<>();
        for (int i = 0; i < 50; i++) {
            m.put(i * 3 % 53, "v" + i);
        }
        System.out.println(m.size() + " " + m.mappingCount() + " " + m.get(3) + " " + m.get(1000) + " " + m.getOrDefault(1000, "d") + " " + m.putIfAbsent(3, "x") + " "
            + m.putIfAbsent(1000, "y") + " " + m.remove(1000) + " " + m.remove(3, "no") + " " + m.replace(3, "r") + " " + m.replace(3, "r", "s") + " " + m.containsValue("s"));
        m.computeIfAbsent(200, k -> "c" + k);
        m.computeIfPresent(200, (k, v) -> v + "p");
        m.compute(201, (k, v) -> v == null ? "n" : v);
        m.merge(200, "m", String::concat);
        m.merge(202, "m", String::concat);
        System.out.println(m.get(200) + " " + m.get(201) + " " + m.get(202) + " " + m.reduceValues(Long.MAX_VALUE, String::length, Integer::sum) + " " + m.search(
            Long.MAX_VALUE, (k, v) -> v.equals("v7") ? k : null));
        m.keySet().removeIf(k -> k % 10 != 0);
        System.out.println(new TreeMap<>(m) + " " + m.equals(new TreeMap<>(m)));
        ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
        for (String w : "x y x z x y".split(" ")) {
            counts.merge(w, 1, Integer::sum);
        }
        System.out.println(new TreeMap<>(counts) + " " + ConcurrentHashMap.newKeySet().add("k"));
        for (int k = 0; k < 2; k++) {
            try {
                if (k == 0) {
                    m.put(null, "x");
                } else {
                    m.put(1, null);
                }
            } catch (NullPointerException e) {
                System.out.println("no nulls");
            }
        }
        try {
            m.computeIfAbsent(7, k -> m.computeIfAbsent(7, j -> "inner"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>(Map.of(5, "e", 1, "a", 3, "c"));
        System.out.println(skip + " " + skip.firstKey() + " " + skip.ceilingKey(2) + " " + skip.headMap(4) + " " + skip.descendingMap() + " " + skip.pollFirstEntry() + " "
            + skip.remove(5) + " " + skip + " " + new ConcurrentSkipListSet<>(List.of(3, 1, 2)));
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>(List.of(1, 2, 3));
        System.out.println(q.poll() + " " + q.peek() + " " + q.offer(4) + " " + q.remove(3) + " " + q + " " + q.size());
        ConcurrentLinkedDeque<Integer> dq = new ConcurrentLinkedDeque<>();
        dq.addFirst(1);
        dq.addLast(2);
        dq.push(0);
        System.out.println(dq + " " + dq.pollLast() + dq.pollFirst() + dq.pop() + dq.poll());
        ArrayBlockingQueue<String> bounded = new ArrayBlockingQueue<>(2);
        System.out.println(bounded.offer("a") + " " + bounded.offer("b") + " " + bounded.offer("c") + " " + bounded.remainingCapacity() + " " + bounded.take() + " " + bounded);
        try {
            bounded.add("c");
            bounded.add("d");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        LinkedBlockingQueue<Integer> linked = new LinkedBlockingQueue<>();
        linked.put(1);
        linked.add(2);
        List<Integer> drained = new ArrayList<>();
        System.out.println(linked.drainTo(drained) + " " + drained + " " + linked.poll());
        LinkedBlockingDeque<Integer> both = new LinkedBlockingDeque<>(2);
        both.putFirst(1);
        both.putLast(2);
        System.out.println(both.offerFirst(0) + " " + both.takeLast() + " " + both);
        PriorityBlockingQueue<Integer> p = new PriorityBlockingQueue<>(4, (a, b) -> b - a);
        p.addAll(List.of(3, 9, 4));
        System.out.println(p.take() + " " + p.take() + " " + p.size() + " " + new SynchronousQueue<Integer>().offer(1) + " " + new SynchronousQueue<Integer>().poll());
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2));
        for (Integer v : cow) {
            cow.add(v * 10);
        }
        System.out.println(cow + " " + cow.addIfAbsent(1) + " " + cow.addIfAbsent(5) + " " + cow.indexOf(20));
    }
}
