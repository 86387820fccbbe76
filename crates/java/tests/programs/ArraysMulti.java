// Multi-dimensional arrays: full, partial, ragged, initialised, assigned by row.
import java.util.Arrays;

public class ArraysMulti {
    public static void main(String[] args) {
        int[][] square = new int[3][4];
        int n = 0;
        for (int[] row : square) {
            for (int k = 0; k < row.length; k++) {
                row[k] = n++;
            }
        }
        System.out.println(Arrays.deepToString(square));
        int[][] ragged = new int[3][];
        System.out.println(ragged[0] + " " + ragged.length);
        for (int k = 0; k < 3; k++) {
            ragged[k] = new int[k + 1];
            Arrays.fill(ragged[k], k);
        }
        System.out.println(Arrays.deepToString(ragged));
        long[][][] cube = new long[2][3][2];
        cube[1][2][1] = 5_000_000_000L;
        System.out.println(Arrays.deepToString(cube));
        String[][][] half = new String[2][2][];
        half[1][1] = new String[] {"x", null};
        System.out.println(Arrays.deepToString(half));
        double[][] identity = {{1, 0}, {0, 1}};
        double[][] m = {{1, 2}, {3, 4}};
        double[][] product = new double[2][2];
        for (int r = 0; r < 2; r++) {
            for (int c = 0; c < 2; c++) {
                for (int k = 0; k < 2; k++) {
                    product[r][c] += m[r][k] * identity[k][c];
                }
            }
        }
        System.out.println(Arrays.deepToString(product));
        char[][] words = {"one".toCharArray(), "two".toCharArray(), {}};
        System.out.println(words[0].length + " " + words[2].length + " " + new String(words[1]));
        int[][] shallow = square.clone();
        shallow[0][0] = -1;
        System.out.println(square[0][0] + " " + (shallow[1] == square[1]) + " " + Arrays.equals(shallow, square) + " "
            + Arrays.deepEquals(new int[][] {{1}, {2}}, new int[][] {{1}, {2}}));
        System.out.println(square.getClass().getName() + " " + half.getClass().getName() + " " + cube[0].getClass().getSimpleName());
        System.out.println(new int[0][5].length + " " + new int[5][0][0].length + " " + new int[5][0][0][0].getClass().getName());
        Object[] objects = square;
        System.out.println(objects.length + " " + (objects[0] instanceof int[]));
        boolean[][] grid = new boolean[2][2];
        grid[0][1] = true;
        grid[1] = grid[0];
        grid[1][0] ^= true;
        System.out.println(Arrays.deepToString(grid));
        square[1][1] += square[2][3]++;
        System.out.println(square[1][1] + " " + square[2][3]);
        try {
            int[][] bad = new int[2][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e);
        }
        try {
            int[][] bad = new int[0][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e);
        }
    }
}
