// expect: holds
// outcomes: group null|null null
// A thread that has ended has no group any more; one that ends may still have it.
public class GroupOfEnded {
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> done = true);
        other.start();
        while (!done) {
            Thread.onSpinWait();
        }
        String before = other.getThreadGroup() == null ? "null" : "group";
        other.join();
        System.out.println(before + " " + other.getThreadGroup());
    }
}
