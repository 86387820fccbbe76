// expect: holds
// outcomes: 3
// A fork/join pool of one thread sums up two halves.
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

public class ForkJoinTiny {
    static final class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1L;
        private final int from;
        private final int to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (from == to) {
                return from;
            }
            Sum left = new Sum(from, (from + to) / 2);
            left.fork();
            int right = new Sum((from + to) / 2 + 1, to).compute();
            return left.join() + right;
        }
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        int sum = pool.invoke(new Sum(1, 2));
        pool.shutdown();
        System.out.println(sum);
    }
}
