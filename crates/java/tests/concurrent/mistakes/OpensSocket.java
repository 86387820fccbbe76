// expect: unsupported
// The network is not there, and that is said: it is neither an exception, which the program could catch, nor an answer.
import java.net.ServerSocket;

public class OpensSocket {
    public static void main(String[] args) {
        try (ServerSocket socket = new ServerSocket(0)) {
            System.out.println(socket.isBound());
        } catch (Throwable e) {
            System.out.println("caught");
        }
    }
}
