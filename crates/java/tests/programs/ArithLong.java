// Every long operation over a grid of edge values.
public class ArithLong {
    static final long[] VALUES = {
        0L, 1L, -1L, 2L, -3L, 10L, 3037000500L, 0x100000000L, -0x100000000L, 0xFFFFFFFFL,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1,
    };

    static String divide(long a, long b) {
        try {
            return a / b + "r" + a % b;
        } catch (ArithmeticException e) {
            return e.getMessage();
        }
    }

    public static void main(String[] args) {
        for (long a : VALUES) {
            System.out.println("a=" + a + " -a=" + -a + " ~a=" + ~a);
            for (long b : VALUES) {
                System.out.println("  b=" + b + " + " + (a + b) + " - " + (a - b) + " * " + (a * b) + " / " + divide(a, b)
                    + " & " + (a & b) + " | " + (a | b) + " ^ " + (a ^ b));
            }
        }
        long l = Long.MAX_VALUE;
        l++;
        System.out.println(l);
        l--;
        System.out.println(l);
        System.out.println(Long.MIN_VALUE / -1 + " " + Long.MIN_VALUE % -1);
        System.out.println(Math.multiplyHigh(Long.MAX_VALUE, Long.MAX_VALUE) + " " + Math.multiplyHigh(-5L, 7L));
        System.out.println(Math.floorMod(-7L, 4L) + " " + Math.floorDiv(-7L, 4L) + " " + Math.abs(Long.MIN_VALUE));
    }
}
