// expect: holds
// outcomes: Point[x=1, y=2] true
// The methods that a record has without writing them.
public class RecordPrinted {
    record Point(int x, int y) { }

    public static void main(String[] args) {
        Point p = new Point(1, 2);
        System.out.println(p + " " + p.equals(new Point(1, 2)));
    }
}
