// expect: holds
// outcomes: logged
// A line in a log.
import java.util.logging.Logger;

public class LoggedLine {
    public static void main(String[] args) {
        Logger.getLogger("example").warning("a line");
        System.out.println("logged");
    }
}
