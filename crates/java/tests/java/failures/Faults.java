import java.io.*;
import java.net.*;

/** A server and a client, of which the naive ones are right as long as nothing fails: ROLE naive|robust KIND. */
public class Faults {
    static final int PORT = 7000;

    public static void main(String[] args) throws Exception {
        boolean robust = args[1].equals("robust");
        if (args[0].equals("server")) {
            try {
                server(robust, args[2]);
            } catch (IOException e) {
                if (!robust && args[2].equals("accept")) throw e;
            }
            return;
        }
        try {
            client(robust, args[2]);
        } catch (IOException e) {
            if (!robust) throw e;
        }
    }

    static Socket accept(ServerSocket listener, boolean robust) throws IOException {
        // Whoever fails to come must not be waited for.
        if (robust) listener.setSoTimeout(50);
        for (;;) {
            try {
                Socket socket = listener.accept();
                if (robust) socket.setSoTimeout(50);
                return socket;
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (SocketException e) {
                if (!robust) throw e;
            }
        }
    }

    static void server(boolean robust, String kind) throws IOException {
        try (ServerSocket listener = new ServerSocket(PORT)) {
            Socket one = accept(listener, robust);
            if (kind.equals("delay")) {
                Socket two = accept(listener, robust);
                one.getOutputStream().write(1);
                two.getOutputStream().write(2);
                one.getInputStream().read();
                return;
            }
            int b = one.getInputStream().read();
            if (b >= 0) one.getOutputStream().write(new byte[] {(byte) b, (byte) b});
            // The client closes first.
            one.getInputStream().read();
        }
    }

    static void client(boolean robust, String kind) throws IOException {
        try (Socket socket = new Socket("localhost", PORT)) {
            if (robust) socket.setSoTimeout(50);
            if (kind.equals("delay")) {
                try (Socket two = new Socket("localhost", PORT)) {
                    if (two.getInputStream().read() != 2) throw new IllegalStateException("another byte");
                    if (robust) socket.getInputStream().read();
                    else if (socket.getInputStream().available() == 0) throw new IllegalStateException("not there");
                }
                return;
            }
            socket.getOutputStream().write(7);
            byte[] answer = new byte[2];
            InputStream in = socket.getInputStream();
            int n = robust ? in.readNBytes(answer, 0, 2) : in.read(answer);
            if (n < 2 && !robust) throw new IllegalStateException(n < 0 ? "no answer" : n + " byte");
            if (n == 2 && (answer[0] != 7 || answer[1] != 7)) throw new IllegalStateException("another answer");
        }
    }
}
