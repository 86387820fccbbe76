// PriorityQueue: heap order, comparators, removal, and Dijkstra with it.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

public class PriorityQueueOps {
    record Edge(int to, int weight) {}

    static int[] dijkstra(List<List<Edge>> graph, int from) {
        int[] dist = new int[graph.size()];
        Arrays.fill(dist, Integer.MAX_VALUE);
        dist[from] = 0;
        PriorityQueue<int[]> queue = new PriorityQueue<>((a, b) -> a[1] - b[1]);
        queue.add(new int[] {from, 0});
        while (!queue.isEmpty()) {
            int[] top = queue.poll();
            if (top[1] > dist[top[0]]) {
                continue;
            }
            for (Edge e : graph.get(top[0])) {
                int d = top[1] + e.weight();
                if (d < dist[e.to()]) {
                    dist[e.to()] = d;
                    queue.add(new int[] {e.to(), d});
                }
            }
        }
        return dist;
    }

    public static void main(String[] args) {
        PriorityQueue<Integer> q = new PriorityQueue<>(List.of(5, 2, 8, 1, 9, 3));
        System.out.println(q + " " + q.peek() + " " + q.size());
        q.offer(0);
        q.remove(8);
        System.out.println(q + " " + q.contains(9));
        StringBuilder b = new StringBuilder();
        while (!q.isEmpty()) {
            b.append(q.poll()).append(' ');
        }
        System.out.println(b + "" + q.poll());
        PriorityQueue<String> words = new PriorityQueue<>(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));
        Collections.addAll(words, "aa", "b", "cccc", "dd", "e", "ffff");
        while (words.peek() != null) {
            System.out.print(words.remove() + " ");
        }
        System.out.println();
        List<List<Edge>> graph = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            graph.add(new ArrayList<>());
        }
        int[][] edges = {{0, 1, 7}, {0, 2, 9}, {0, 5, 14}, {1, 2, 10}, {1, 3, 15}, {2, 3, 11}, {2, 5, 2}, {5, 4, 9}, {3, 4, 6}};
        for (int[] e : edges) {
            graph.get(e[0]).add(new Edge(e[1], e[2]));
            graph.get(e[1]).add(new Edge(e[0], e[2]));
        }
        System.out.println(Arrays.toString(dijkstra(graph, 0)) + Arrays.toString(dijkstra(graph, 4)));
        try {
            new PriorityQueue<>().add(null);
        } catch (NullPointerException e) {
            System.out.println("no null");
        }
    }
}
