// expect: holds
// outcomes: 1 1|1 2|2 1|2 2
// Two threads fill the same array: each place has the value of either thread.
public class ArrayRace {
    static final int[] DATA = new int[2];

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> {
            DATA[0] = 1;
            DATA[1] = 1;
        });
        Thread b = new Thread(() -> {
            DATA[0] = 2;
            DATA[1] = 2;
        });
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(DATA[0] + " " + DATA[1]);
    }
}
