// expect: holds
// outcomes: 0|1|2
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;

/** A thread reads a file twice in a row, another one asks how much is left. */
public class PositionWhileReading {
    static FileInputStream in;
    static int taken;

    public static void main(String[] args) throws InterruptedException, IOException {
        File own = new File(System.getProperty("java.class.path"), "PositionWhileReading.class");
        in = new FileInputStream(own);
        int all = in.available();
        Thread reader = new Thread(() -> {
            try {
                in.read();
                in.read();
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        });
        reader.start();
        taken = all - in.available();
        reader.join();
        System.out.println(taken);
    }
}
