// Every int operation over a grid of edge values.
public class ArithInt {
    static final int[] VALUES = {
        0, 1, -1, 2, -2, 7, -7, 100, -100, 46341, 65536, -65536,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1,
    };

    static String divide(int a, int b) {
        try {
            return a / b + "r" + a % b;
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        for (int a : VALUES) {
            System.out.println("a=" + a + " -a=" + -a + " ~a=" + ~a + " +a=" + +a);
            for (int b : VALUES) {
                System.out.println("  b=" + b + " + " + (a + b) + " - " + (a - b) + " * " + (a * b) + " / " + divide(a, b)
                    + " & " + (a & b) + " | " + (a | b) + " ^ " + (a ^ b));
            }
        }
        int i = Integer.MAX_VALUE;
        i++;
        System.out.println(i);
        i--;
        System.out.println(i);
        System.out.println(i++ + ++i);
        i += 40000;
        System.out.println(i);
        i -= 100;
        System.out.println(i);
        System.out.println(Integer.MIN_VALUE / -1);
        System.out.println(Integer.MIN_VALUE % -1);
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + (-7 / 2) + " " + (-7 % 2));
    }
}
