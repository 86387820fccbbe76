import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * The election of a leader among several processes: the node with the highest number that is there.
 *
 * <pre>
 * --process 'registry=Election registry' --process 'top=Election 2 ok' --process 'node*2=Election {index} ok'
 * --after registry --after top --service registry --service top
 * </pre>
 *
 * A node asks those with higher numbers, the highest first; the first one that answers is its leader. If none answers
 * the node leads itself, and says so to the registry, which asserts that there is one leader.
 *
 * In the broken version (the second argument of a node is not ok) a node takes a connection that breaks for the death
 * of the other one. Without failures none breaks; with --failures 1 a node leads although the top one does.
 */
public class Election {
    static final int REGISTRY = 6000, NODES = 6001, TOP = 2;

    public static void main(String[] args) throws IOException {
        if (args[0].equals("registry")) register();
        else new Election(Integer.parseInt(args[0]), args[1].equals("ok")).run();
    }

    final int number;
    final boolean ok;

    Election(int number, boolean ok) {
        this.number = number;
        this.ok = ok;
    }

    static void register() throws IOException {
        ServerSocket server = new ServerSocket(REGISTRY);
        int leader = -1;
        for (;;) {
            try (Socket socket = server.accept()) {
                int claim = socket.getInputStream().read();
                if (claim < 0) continue;
                assert leader < 0 || leader == claim : "nodes " + leader + " and " + claim + " lead";
                leader = claim;
            } catch (IOException e) {
                // It will come again.
            }
        }
    }

    void run() throws IOException {
        ServerSocket server = new ServerSocket(NODES + number);
        for (int other = TOP; other > number; other--) {
            if (follows(other)) return;
        }
        while (!claims()) { }
        // Only the top node has others that come to it for certain.
        while (number == TOP) {
            try (Socket socket = server.accept()) {
                if (socket.getInputStream().read() == '?') socket.getOutputStream().write('!');
            } catch (IOException e) {
                // It will ask again.
            }
        }
    }

    /** Whether another node leads. */
    boolean follows(int other) {
        for (;;) {
            try (Socket socket = new Socket("localhost", NODES + other)) {
                socket.getOutputStream().write('?');
                if (socket.getInputStream().read() == '!') return true;
            } catch (ConnectException e) {
                return false; // It is not there.
            } catch (IOException e) {
                if (!ok) return false;
            }
        }
    }

    boolean claims() {
        try (Socket socket = new Socket("localhost", REGISTRY)) {
            socket.getOutputStream().write(number);
            // The end of the stream says that it was read.
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return false;
        }
    }
}
