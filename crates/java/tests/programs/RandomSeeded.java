// Random and SplittableRandom with fixed seeds.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

public class RandomSeeded {
    public static void main(String[] args) {
        for (long seed : new long[] {0, 42, -1, Long.MAX_VALUE}) {
            Random r = new Random(seed);
            System.out.println(r.nextInt() + " " + r.nextInt(10) + " " + r.nextInt(64) + " " + r.nextInt(1 << 30) + " " + r.nextLong() + " " + r.nextBoolean() + " "
                + r.nextFloat() + " " + r.nextDouble() + " " + r.nextGaussian() + " " + r.nextInt(5, 8));
            byte[] bytes = new byte[6];
            r.nextBytes(bytes);
            System.out.println(java.util.Arrays.toString(bytes));
            System.out.println(r.ints(5, 0, 100).boxed().toList() + " " + r.doubles(2).boxed().toList() + " " + r.longs(1).sum());
            List<Integer> l = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
            Collections.shuffle(l, r);
            System.out.println(l);
        }
        SplittableRandom s = new SplittableRandom(7);
        SplittableRandom t = s.split();
        System.out.println(s.nextInt() + " " + t.nextInt(100) + " " + s.nextLong() + " " + t.nextDouble() + " " + s.nextBoolean());
        Random again = new Random(1);
        int first = again.nextInt();
        again.setSeed(1);
        System.out.println(first == again.nextInt());
        try {
            again.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
