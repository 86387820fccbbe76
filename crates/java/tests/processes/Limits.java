import java.io.*;
import java.net.*;

/** What two processes must not share, and what is at the edges: ROLE, and for some a number. */
public class Limits {
    static int shared;

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "out-server": {
                ServerSocket server = new ServerSocket(8000);
                synchronized (System.out) {
                    server.accept().getInputStream().read();
                }
                break;
            }
            case "out-client":
                synchronized (System.out) {
                    new Socket("localhost", 8000).getOutputStream().write(1);
                }
                break;
            case "class-server":
                hold(new ServerSocket(8000));
                break;
            case "class-client":
                synchronized (Limits.class) {
                    new Socket("localhost", 8000).getOutputStream().write(1);
                }
                break;
            case "string-server": {
                ServerSocket server = new ServerSocket(8000);
                synchronized ("lock".intern()) {
                    server.accept().getInputStream().read();
                }
                break;
            }
            case "string-client":
                synchronized (("lo" + args[1]).intern()) {
                    new Socket("localhost", 8000).getOutputStream().write(1);
                }
                break;
            case "reflect":
                Limits.class.getDeclaredField("shared").setInt(null, shared + 1);
                assert shared == 1 : shared;
                break;
            case "initialiser":
                System.out.println(Exits.value);
                break;
            case "waits":
                try {
                    new Socket("localhost", 8000);
                } catch (ConnectException e) {
                    // Nothing listens.
                }
                break;
            case "leaks-server": {
                ServerSocket server = new ServerSocket(8000);
                for (int i = 0; i < Integer.parseInt(args[1]); i++) server.accept();
                break;
            }
            case "leaks-client":
                for (int i = 0; i < Integer.parseInt(args[1]); i++) new Socket("localhost", 8000);
                break;
            case "itself": {
                ServerSocket server = new ServerSocket(8000);
                Socket one = new Socket("localhost", 8000);
                Socket other = server.accept();
                one.getOutputStream().write(new byte[] {1, 2, (byte) 200}, 1, 2);
                InputStream in = other.getInputStream();
                assert in.read() == 2 && in.read() == 200;
                one.close();
                assert in.read() == -1;
                break;
            }
            default:
                break;
        }
    }

    static synchronized void hold(ServerSocket server) throws IOException {
        server.accept().getInputStream().read();
    }

    static class Exits {
        static int value;

        static {
            System.exit(3);
        }
    }
}
