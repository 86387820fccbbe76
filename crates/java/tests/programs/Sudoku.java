// A backtracking solver on bit masks.
public class Sudoku {
    static final int[] rows = new int[9];
    static final int[] cols = new int[9];
    static final int[] boxes = new int[9];
    static final char[] cells = new char[81];
    static int tries;

    static void mark(int i, int digit, boolean on) {
        int bit = 1 << digit;
        if (on) {
            rows[i / 9] |= bit;
            cols[i % 9] |= bit;
            boxes[i / 27 * 3 + i % 9 / 3] |= bit;
        } else {
            rows[i / 9] &= ~bit;
            cols[i % 9] &= ~bit;
            boxes[i / 27 * 3 + i % 9 / 3] &= ~bit;
        }
    }

    static boolean solve() {
        int best = -1;
        int fewest = 10;
        for (int i = 0; i < 81; i++) {
            if (cells[i] == '.') {
                int n = 9 - Integer.bitCount(rows[i / 9] | cols[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]);
                if (n < fewest) {
                    fewest = n;
                    best = i;
                }
            }
        }
        if (best < 0) {
            return true;
        }
        int used = rows[best / 9] | cols[best % 9] | boxes[best / 27 * 3 + best % 9 / 3];
        for (int d = 1; d <= 9; d++) {
            if ((used >> d & 1) == 0) {
                tries++;
                cells[best] = (char) ('0' + d);
                mark(best, d, true);
                if (solve()) {
                    return true;
                }
                mark(best, d, false);
                cells[best] = '.';
            }
        }
        return false;
    }

    public static void main(String[] args) {
        String puzzle = "53..7...." + "6..195..." + ".98....6." + "8...6...3" + "4..8.3..1" + "7...2...6" + ".6....28." + "...419..5" + "....8..79";
        for (int i = 0; i < 81; i++) {
            cells[i] = puzzle.charAt(i);
            if (cells[i] != '.') {
                mark(i, cells[i] - '0', true);
            }
        }
        System.out.println(solve() + " " + tries);
        for (int r = 0; r < 9; r++) {
            System.out.println(new String(cells, r * 9, 9));
        }
    }
}
