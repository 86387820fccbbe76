// Integral division by zero throws, floating division does not.
public class DivByZero {
    interface Action {
        Object run();
    }

    static void show(String what, Action action) {
        try {
            System.out.println(what + " = " + action.run());
        } catch (ArithmeticException e) {
            System.out.println(what + " throws " + e);
        }
    }

    public static void main(String[] args) {
        int zero = args.length;
        long zeroLong = args.length;
        double zeroDouble = args.length;
        show("1 / 0", () -> 1 / zero);
        show("1 % 0", () -> 1 % zero);
        show("0 / 0", () -> 0 / zero);
        show("1L / 0", () -> 1L / zeroLong);
        show("1L % 0", () -> 1L % zeroLong);
        show("1.0 / 0", () -> 1.0 / zeroDouble);
        show("-1.0 / 0", () -> -1.0 / zeroDouble);
        show("0.0 / 0", () -> 0.0 / zeroDouble);
        show("1.0 % 0", () -> 1.0 % zeroDouble);
        show("1 / 0.0f", () -> 1 / (float) zeroDouble);
        show("1.0 / -0.0", () -> 1.0 / -zeroDouble);
        show("floorMod", () -> Math.floorMod(3, zero));
        show("divideUnsigned", () -> Integer.divideUnsigned(3, zero));
        show("remainderUnsigned", () -> Long.remainderUnsigned(3, zeroLong));
        show("addExact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        show("multiplyExact", () -> Math.multiplyExact(1L << 62, 4L));
        show("toIntExact", () -> Math.toIntExact(1L << 40));
        show("negateExact", () -> Math.negateExact(Integer.MIN_VALUE));
        show("subtractExact", () -> Math.subtractExact(-5, 6));
        show("incrementExact", () -> Math.incrementExact(Long.MAX_VALUE));
    }
}
