// java.lang.reflect.Array.
import java.lang.reflect.Array;
import java.util.Arrays;

public class ReflectArrays {
    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) {
        int[] ints = (int[]) Array.newInstance(int.class, 3);
        Array.set(ints, 0, 5);
        Array.setInt(ints, 1, 6);
        Array.set(ints, 2, (byte) 7);
        System.out.println(Arrays.toString(ints) + " " + Array.get(ints, 0) + " " + Array.getInt(ints, 1) + " " + Array.getLong(ints, 2) + " " + Array.getLength(ints));
        String[][] grid = (String[][]) Array.newInstance(String.class, 2, 3);
        grid[1][2] = "x";
        System.out.println(Arrays.deepToString(grid) + " " + grid.getClass().getSimpleName());
        Object half = Array.newInstance(double[].class, 2);
        Array.set(half, 0, new double[] {1.5});
        System.out.println(half.getClass().getName() + " " + ((double[][]) half)[0][0]);
        attempt(() -> Array.set(ints, 3, 1));
        attempt(() -> Array.set(ints, 0, "text"));
        attempt(() -> Array.set(ints, 0, 1L));
        attempt(() -> Array.getBoolean(ints, 0));
        attempt(() -> Array.getLength("text"));
        attempt(() -> Array.newInstance(int.class, -1));
        attempt(() -> Array.newInstance(void.class, 1));
        attempt(() -> Array.set(grid[0], 0, 1));
        attempt(() -> Array.get(null, 0));
        for (Object a : new Object[] {new byte[] {1}, new char[] {'c'}, new long[] {2}, new float[] {3f}, new boolean[] {true}, new short[] {4}, new Object[] {"o"}}) {
            System.out.println(a.getClass().getComponentType() + " " + Array.get(a, 0) + " " + Array.get(a, 0).getClass().getSimpleName());
        }
    }
}
