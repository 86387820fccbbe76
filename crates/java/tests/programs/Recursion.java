// Recursive methods of several kinds.
import java.util.Arrays;

public class Recursion {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static long ackermann(long m, long n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int moves;

    static void hanoi(int n, char from, char to, char via) {
        if (n == 0) {
            return;
        }
        hanoi(n - 1, from, via, to);
        moves++;
        hanoi(n - 1, via, to, from);
    }

    static void permute(char[] a, int k, StringBuilder out) {
        if (k == a.length) {
            out.append(a).append(' ');
            return;
        }
        for (int i = k; i < a.length; i++) {
            char t = a[k];
            a[k] = a[i];
            a[i] = t;
            permute(a, k + 1, out);
            a[i] = a[k];
            a[k] = t;
        }
    }

    static int queens(int n, int row, int cols, int down, int up) {
        if (row == n) {
            return 1;
        }
        int count = 0;
        for (int free = ((1 << n) - 1) & ~(cols | down | up); free != 0; free &= free - 1) {
            int bit = free & -free;
            count += queens(n, row + 1, cols | bit, (down | bit) << 1, (up | bit) >> 1);
        }
        return count;
    }

    static void quicksort(int[] a, int lo, int hi) {
        if (lo >= hi) {
            return;
        }
        int pivot = a[(lo + hi) >>> 1];
        int i = lo;
        int j = hi;
        while (i <= j) {
            while (a[i] < pivot) {
                i++;
            }
            while (a[j] > pivot) {
                j--;
            }
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quicksort(a, lo, j);
        quicksort(a, i, hi);
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static double power(double x, int n) {
        return n == 0 ? 1 : n % 2 == 0 ? power(x * x, n / 2) : x * power(x, n - 1);
    }

    static String binary(int n) {
        return n < 2 ? "" + n : binary(n / 2) + n % 2;
    }

    public static void main(String[] args) {
        System.out.println(fib(15) + " " + ackermann(2, 3) + " " + even(101) + " " + odd(101));
        hanoi(6, 'a', 'b', 'c');
        System.out.println(moves);
        StringBuilder out = new StringBuilder();
        permute("abcd".toCharArray(), 0, out);
        System.out.println(out);
        for (int n = 1; n <= 6; n++) {
            System.out.print(queens(n, 0, 0, 0, 0) + " ");
        }
        System.out.println();
        int[] a = new int[40];
        for (int i = 0, v = 17; i < a.length; i++) {
            v = v * 1103515245 + 12345;
            a[i] = v >> 16;
        }
        quicksort(a, 0, a.length - 1);
        System.out.println(Arrays.toString(a));
        System.out.println(power(1.1, 20) + " " + binary(1234));
    }
}
