// for, while, do, continue, nested loops, several variables, empty parts.
public class Loops {
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += i;
        }
        System.out.println(sum);
        for (int i = 0, j = 10; i < j; i += 2, j--) {
            System.out.print(i + ":" + j + " ");
        }
        System.out.println();
        int n = 27;
        int steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        System.out.println(steps);
        int k = 0;
        do {
            k++;
            if (k == 3) {
                continue;
            }
            System.out.print(k + " ");
        } while (k < 5);
        System.out.println();
        for (;;) {
            if (++k > 20) {
                break;
            }
        }
        System.out.println(k);
        long product = 1;
        for (long l = 20; l > 0; l--) {
            product *= l;
        }
        System.out.println(product);
        int count = 0;
        for (double d = 0; d < 1; d += 0.1) {
            count++;
        }
        System.out.println(count);
        for (char c = 'a'; c <= 'e'; c++) {
            System.out.print(c);
        }
        System.out.println();
        for (byte b = 120; b > 0; b++) {
            System.out.print(b + " ");
        }
        System.out.println();
        StringBuilder picture = new StringBuilder();
        for (int row = 0; row < 4; row++) {
            for (int col = 0; col < 4; col++) {
                if (col == row) {
                    picture.append('\\');
                } else if (col + row == 3) {
                    picture.append('/');
                } else {
                    picture.append('.');
                }
            }
            picture.append('\n');
        }
        System.out.print(picture);
        boolean[] composite = new boolean[60];
        for (int p = 2; p < composite.length; p++) {
            if (composite[p]) {
                continue;
            }
            System.out.print(p + " ");
            for (int q = p * p; q < composite.length; q += p) {
                composite[q] = true;
            }
        }
        System.out.println();
        int a = 1071;
        int b = 462;
        while (b != 0) {
            int t = a % b;
            a = b;
            b = t;
        }
        System.out.println(a);
        for (String s : new String[] {"x", "y"}) {
            for (int v : new int[] {1, 2}) {
                System.out.print(s + v + " ");
            }
        }
        System.out.println();
        while (false != (args.length > 0)) {
            System.out.println("never");
        }
    }
}
