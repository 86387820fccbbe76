import java.io.*;
import java.net.*;

/**
 * Alphabet: a server makes letters of digits, for pairs of a producer and a consumer at each client. Arguments: server
 * CONNECTIONS ok|seeded, or client PAIRS BYTES.
 *
 * The workers of the seeded server share the place of the byte that they are at.
 */
public class Alphabet {
    static int shared;

    public static void main(String[] args) throws IOException {
        if (args[0].equals("client")) client(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        else server(Integer.parseInt(args[1]), args[2].equals("seeded"));
    }

    static void server(int connections, boolean seeded) throws IOException {
        ServerSocket server = new ServerSocket(9004);
        for (int i = 0; i < connections; i++) {
            Socket socket = server.accept();
            new Thread(() -> {
                try {
                    InputStream in = socket.getInputStream();
                    for (int b; (b = in.read()) >= 0; ) {
                        // The first digit is zero.
                        if (seeded) b--;
                        assert b >= '0';
                        socket.getOutputStream().write(b - '0' + 'A');
                    }
                    socket.close();
                } catch (IOException e) {
                    // The client is gone.
                }
            }).start();
        }
        server.close();
    }

    static void client(int pairs, int bytes) throws IOException {
        for (int i = 0; i < pairs; i++) {
            Socket socket = new Socket("localhost", 9004);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            new Thread(() -> {
                try {
                    for (int j = 0; j < bytes; j++) out.write('0' + j);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }, "producer").start();
            new Thread(() -> {
                try {
                    for (int j = 0; j < bytes; j++) {
                        int letter = in.read();
                        assert letter == 'A' + j : letter;
                    }
                    socket.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }, "consumer").start();
        }
    }
}
