// Labels on loops and blocks, with break and continue through finally.
public class LabelledBreak {
    static int find(int[][] grid, int wanted) {
        int result = -1;
        search:
        for (int r = 0; r < grid.length; r++) {
            for (int c = 0; c < grid[r].length; c++) {
                if (grid[r][c] == wanted) {
                    result = r * 10 + c;
                    break search;
                }
                if (grid[r][c] < 0) {
                    continue search;
                }
            }
        }
        return result;
    }

    static String throughFinally() {
        StringBuilder log = new StringBuilder();
        outer:
        for (int i = 0; i < 4; i++) {
            try {
                for (int j = 0; j < 4; j++) {
                    try {
                        if (j == 2 && i == 1) {
                            continue outer;
                        }
                        if (i == 2) {
                            break outer;
                        }
                        log.append(i).append(j).append(' ');
                    } finally {
                        log.append('f');
                    }
                }
            } finally {
                log.append("F ");
            }
        }
        return log.toString();
    }

    public static void main(String[] args) {
        int[][] grid = {{1, 2, -1, 3}, {4, 5, 6}, {-1, 7}, {8}};
        for (int wanted : new int[] {2, 3, 6, 7, 8, 9}) {
            System.out.println(wanted + " at " + find(grid, wanted));
        }
        block: {
            if (grid.length == 4) {
                System.out.println("leaving");
                break block;
            }
            System.out.println("never");
        }
        System.out.println(throughFinally());
        int n = 0;
        a:
        do {
            b:
            while (true) {
                n++;
                if (n % 5 == 0) {
                    continue a;
                }
                if (n > 12) {
                    break a;
                }
                if (n % 2 == 0) {
                    continue b;
                }
                n += 3;
                break b;
            }
            n++;
        } while (n < 100);
        System.out.println(n);
    }
}
