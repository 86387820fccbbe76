// The static methods of Arrays.
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;

public class ArraysMethods {
    public static void main(String[] args) {
        int[] a = {5, 3, 9, 1, 7, 3, -2};
        int[] b = a.clone();
        Arrays.sort(a);
        System.out.println(Arrays.toString(a) + " " + Arrays.binarySearch(a, 7) + " " + Arrays.binarySearch(a, 4) + " " + Arrays.equals(a, b) + " "
            + Arrays.compare(a, b) + " " + Arrays.mismatch(a, b) + " " + Arrays.hashCode(a));
        Arrays.sort(b, 1, 4);
        System.out.println(Arrays.toString(b) + Arrays.toString(Arrays.copyOf(b, 3)) + Arrays.toString(Arrays.copyOf(b, 9)) + Arrays.toString(Arrays
            .copyOfRange(b, 2, 5)) + Arrays.toString(Arrays.copyOfRange(b, 5, 9)));
        Arrays.fill(b, 2, 4, 0);
        System.out.println(Arrays.toString(b) + " " + Arrays.stream(b).sum() + " " + Arrays.asList(1, 2).size());
        int[] big = new int[300];
        for (int i = 0; i < big.length; i++) {
            big[i] = i * 7919 % 1009 - 500;
        }
        Arrays.sort(big);
        boolean sorted = true;
        for (int i = 1; i < big.length; i++) {
            sorted &= big[i - 1] <= big[i];
        }
        System.out.println(sorted + " " + big[0] + " " + big[299] + " " + Arrays.hashCode(big));
        long[] longs = {3L, Long.MIN_VALUE, 0, Long.MAX_VALUE};
        double[] doubles = {1.5, Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY};
        char[] chars = "sorting".toCharArray();
        byte[] bytes = {3, -1, 127, -128};
        short[] shorts = {3, -1, 30000};
        float[] floats = {2f, -1f, Float.NaN, -0f, 0f};
        Arrays.sort(longs);
        Arrays.sort(doubles);
        Arrays.sort(chars);
        Arrays.sort(bytes);
        Arrays.sort(shorts);
        Arrays.sort(floats);
        System.out.println(Arrays.toString(longs) + Arrays.toString(doubles) + new String(chars) + Arrays.toString(bytes) + Arrays.toString(shorts)
            + Arrays.toString(floats));
        String[] words = "the quick Brown fox Jumps over".split(" ");
        Arrays.sort(words);
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, String.CASE_INSENSITIVE_ORDER);
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, Comparator.comparing(String::length));
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, 0, 3, Collections.reverseOrder());
        System.out.println(Arrays.toString(words));
        Integer[] many = new Integer[100];
        Arrays.setAll(many, i -> i * 37 % 100);
        Arrays.sort(many, (x, y) -> x % 10 != y % 10 ? x % 10 - y % 10 : 0);
        System.out.println(Arrays.toString(many));
        int[] prefix = {1, 2, 3, 4};
        Arrays.parallelPrefix(prefix, Integer::sum);
        System.out.println(Arrays.toString(prefix) + " " + Arrays.deepToString(new Object[] {1, new int[] {2}, new Object[] {"x", null}}) + " "
            + Arrays.deepEquals(new Object[] {new int[] {1}}, new Object[] {new int[] {1}}) + Arrays.equals(new Object[] {new int[] {1}}, new Object[] {
                new int[] {1}}));
        System.out.println(Arrays.toString((int[]) null) + Arrays.toString(new boolean[2]) + Arrays.asList(words).indexOf("fox"));
        for (int k = 0; k < 3; k++) {
            try {
                switch (k) {
                    case 0 -> Arrays.sort(prefix, 3, 1);
                    case 1 -> Arrays.copyOf(prefix, -1);
                    default -> Arrays.fill(prefix, 2, 9, 0);
                }
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }
}
