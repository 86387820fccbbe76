// expect: holds
// outcomes: false|true
// A choice of a truth value.
import allways.Choose;

public class ChooseBool {
    public static void main(String[] args) {
        System.out.println(Choose.bool());
    }
}
