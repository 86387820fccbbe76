// expect: holds
// outcomes: true 42
// A server socket, and a connection of the program to itself before it is accepted.
import java.net.ServerSocket;
import java.net.Socket;

public class OpensSocket {
    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0); Socket one = new Socket("localhost", server.getLocalPort())) {
            one.getOutputStream().write(42);
            try (Socket other = server.accept()) {
                System.out.println(server.isBound() + " " + other.getInputStream().read());
            }
        }
    }
}
