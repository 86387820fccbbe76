// expect: holds
// outcomes: 0
// The random numbers of a thread.
import java.util.concurrent.ThreadLocalRandom;

public class ThreadOwnRandom {
    public static void main(String[] args) {
        System.out.println(ThreadLocalRandom.current().nextInt(1));
    }
}
