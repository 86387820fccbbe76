// expect: holds
// outcomes: -1|0|1
// A choice of a number, both ends included.
import allways.Choose;

public class ChooseRange {
    public static void main(String[] args) {
        System.out.println(Choose.range(-1, 1));
    }
}
