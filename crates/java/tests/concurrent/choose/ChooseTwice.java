// expect: holds
// outcomes: 00|01|10|11
// Two choices, made by two threads.
import allways.Choose;

public class ChooseTwice {
    static int first;
    static int second;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> first = Choose.range(0, 1));
        Thread b = new Thread(() -> second = Choose.range(0, 1));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println("" + first + second);
    }
}
