import java.io.*;
import java.net.*;

/**
 * Facts about sockets: steps of a server and a client in one order, which two processes keep by passing a token over a
 * connection of its own. Arguments: server|client MILLISECONDS FACT..., where a fact is steps such as
 * `s:L c:C s:A c:W2 s:R9`. Each process prints what its own steps gave, a line for each fact.
 *
 * After each step a process waits for so many milliseconds, so that on a real network everything has arrived.
 */
public class Facts {
    static final int TOKEN = 19000;

    final int port;
    final StringBuilder log = new StringBuilder();
    ServerSocket server;
    ServerSocket another;
    Socket socket;
    OutputStream old;

    Facts(int port) {
        this.port = port;
    }

    public static void main(String[] args) throws Exception {
        boolean serves = args[0].equals("server");
        int millis = Integer.parseInt(args[1]);
        Socket token = serves ? new ServerSocket(TOKEN).accept() : connect();
        InputStream in = token.getInputStream();
        OutputStream out = token.getOutputStream();
        for (int i = 2; i < args.length; i++) {
            Facts facts = new Facts(TOKEN + i);
            for (String step : args[i].split(" ")) {
                if (step.startsWith("s:") != serves) {
                    if (in.read() < 0) break;
                    continue;
                }
                String result = facts.result(step.charAt(2), step.length() > 3 ? Integer.parseInt(step.substring(3)) : 1);
                facts.log.append(step).append('=').append(result).append(';');
                if (millis > 0) Thread.sleep(millis);
                out.write(1);
            }
            System.out.println(facts.log);
            facts.close();
        }
    }

    /** Connects to the server, which may not listen yet. */
    static Socket connect() throws IOException {
        for (;;) {
            try {
                return new Socket("localhost", TOKEN);
            } catch (ConnectException e) {
                Thread.yield();
            }
        }
    }

    void close() throws IOException {
        if (socket != null) socket.close();
        if (server != null) server.close();
        if (another != null) another.close();
    }

    String result(char op, int n) {
        try {
            return String.valueOf(act(op, n));
        } catch (IOException e) {
            String name = e.getClass().getSimpleName(), message = e.getMessage();
            // The classes of the JDK word this in several ways.
            if (message.startsWith("Address already in use")) message = "Address already in use";
            return name + " " + message;
        }
    }

    Object act(char op, int n) throws IOException {
        switch (op) {
            case 'L':
                server = new ServerSocket(port, n == 1 ? 50 : n - 1);
                return "listens";
            case 'M':
                another = new ServerSocket(port);
                return "listens";
            case 'Q':
                server.close();
                return "closed";
            case 'A':
                socket = server.accept();
                old = socket.getOutputStream();
                return "accepted";
            case 'U':
                server.setSoTimeout(20);
                socket = server.accept();
                return "accepted";
            case 'C':
                socket = new Socket("localhost", port);
                old = socket.getOutputStream();
                return "connected";
            case 'D':
                new Socket("localhost", port);
                return "connected";
            case 'Z':
                new Socket().connect(new InetSocketAddress("localhost", port), 100);
                return "connected";
            case 'B':
                socket.connect(new InetSocketAddress("localhost", port));
                return "connected";
            case 'W':
                socket.getOutputStream().write(new byte[n]);
                return "written";
            case 'O':
                old.write(new byte[n]);
                return "written";
            case 'b':
                socket.getOutputStream().write(n);
                return "written";
            case 'r':
                return socket.getInputStream().read();
            case 'R':
                return socket.getInputStream().read(new byte[n]);
            case 'T':
                socket.setSoTimeout(20);
                return socket.getInputStream().read(new byte[n]);
            case 'V':
                return socket.getInputStream().available();
            case 'H':
                socket.shutdownOutput();
                return "shut";
            case 'I':
                socket.shutdownInput();
                return "shut";
            case 'G':
                socket.setSoLinger(true, 0);
                return "set";
            case 'K':
                socket.close();
                return "closed";
            case 'P':
                return socket.getPort() == port || socket.getLocalPort() == port;
            case 'F':
                return socket.isConnected() + "," + socket.isClosed() + "," + socket.isInputShutdown() + ","
                    + socket.isOutputShutdown() + "," + socket.isBound();
            default:
                throw new AssertionError(op);
        }
    }
}
