// expect: holds
// outcomes: abc|cab
// A line is printed under the monitor of its stream: who holds that prints without interruption.
public class PrintInMonitor {
    public static void main(String[] args) {
        Thread a = new Thread(() -> System.out.print("c"));
        a.start();
        synchronized (System.out) {
            System.out.print("a");
            System.out.print("b");
        }
    }
}
