/** Patterns over primitive components of records, as {@code javac} 25 compiles them: {@code javac -g:none --release 25 Areas.java}. */
public class Areas {
    record Circle(int radius) {}
    record Box(long width, double height) {}
    record Sign(char letter, boolean on) {}

    static String tell(Object shape) {
        return switch (shape) {
            case Circle(int r) when r > 5 -> "large";
            case Circle(int r) when r < 0 -> "none";
            case Circle(int r) -> "circle " + r;
            case Box(long w, double h) when w > h -> "wide";
            case Box(long w, double h) when w == 1L -> "narrow";
            case Box(long w, double h) -> "box " + w + " " + h;
            case Sign(char c, boolean on) when c == 'x' -> "x " + on;
            case Sign(char c, boolean on) when on -> "on";
            case Sign(char c, boolean on) -> "off";
            case null -> "null";
            default -> "other";
        };
    }

    public static void main(String[] args) {
        Object[] shapes = {
            new Circle(9), new Circle(-1), new Circle(3), new Box(3, 2), new Box(1, 2), new Box(2, 2.5),
            new Sign('x', false), new Sign('y', true), new Sign('z', false), null, "s"
        };
        for (Object shape : shapes) System.out.println(tell(shape));
    }
}
