import java.io.*;
import java.net.*;

/**
 * Daytime: a server tells its clients the time, one after the other. Arguments: server CLIENTS ok|seeded, or client.
 *
 * It is always noon: to read the clock and to format a date takes thousands of operations that no other process notices.
 * The seeded server accepts without end, although the number of clients is limited.
 */
public class Daytime {
    public static void main(String[] args) throws IOException {
        if (args[0].equals("client")) client();
        else server(Integer.parseInt(args[1]), args[2].equals("seeded"));
    }

    static void server(int clients, boolean seeded) throws IOException {
        ServerSocket server = new ServerSocket(9002);
        for (int i = 0; seeded || i < clients; i++) {
            Socket socket = server.accept();
            Writer out = new OutputStreamWriter(socket.getOutputStream());
            out.write("noon\n");
            out.flush();
            socket.close();
        }
        server.close();
    }

    static void client() throws IOException {
        Socket socket = new Socket("localhost", 9002);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        String time = in.readLine();
        assert time != null;
        socket.close();
    }
}
