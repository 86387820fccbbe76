import java.io.*;
import java.net.*;

/**
 * Echo: a server returns each line that its client sends. Arguments: server plain|repaired, or client MESSAGES.
 *
 * The plain server takes every IOException for a failed attempt and accepts again. The repaired one knows that a
 * SocketException means that there was a connection, and ends.
 */
public class Echo {
    public static void main(String[] args) throws IOException {
        if (args[0].equals("client")) client(Integer.parseInt(args[1]));
        else server(args[1].equals("repaired"));
    }

    static void server(boolean repaired) throws IOException {
        ServerSocket server = new ServerSocket(9001);
        boolean done = false;
        while (!done) {
            Socket socket = null;
            try {
                socket = server.accept();
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                Writer out = new OutputStreamWriter(socket.getOutputStream());
                String message;
                while ((message = in.readLine()) != null) {
                    out.write(message + "\n");
                    out.flush();
                }
                done = true;
            } catch (SocketException e) {
                done = repaired;
            } catch (IOException e) {
                // Tries again.
            } finally {
                if (socket != null) socket.close();
            }
        }
        server.close();
    }

    static void client(int messages) throws IOException {
        Socket socket = new Socket("localhost", 9001);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        Writer out = new OutputStreamWriter(socket.getOutputStream());
        for (int i = 0; i < messages; i++) {
            String message = "m" + i;
            out.write(message + "\n");
            out.flush();
            String answer = in.readLine();
            assert message.equals(answer) : answer;
        }
        out.close();
    }
}
