// expect: assertion
// A failing assertion after a record was used: the program goes on behind the record.
public class RecordChecked {
    record Point(int x, int y) { }

    public static void main(String[] args) {
        Point p = new Point(1, 2);
        assert p.toString().isEmpty();
    }
}
