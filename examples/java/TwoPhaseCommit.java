import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Two-phase commit by several processes: either all participants commit, or none does.
 *
 * <pre>
 * --process 'coordinator=TwoPhaseCommit coordinator 2' --process 'participant*2=TwoPhaseCommit {index} ok'
 * --after coordinator
 * </pre>
 *
 * The coordinator asks each participant for its vote, and commits if all vote yes. Then it tells them, and at the end
 * each participant reports what it did: the coordinator asserts that this is what was decided. A participant whose
 * connection breaks before it has voted aborts. One that has voted and has not been told is uncertain: it asks again,
 * on a connection of its own.
 *
 * In the broken version (the second argument of a participant is not ok) an uncertain participant aborts by itself.
 * Without failures that never happens; with --failures 1 one participant commits and the other one does not.
 */
public class TwoPhaseCommit {
    static final int VOTES = 5000, REPORTS = 5001;

    public static void main(String[] args) throws IOException {
        if (args[0].equals("coordinator")) new TwoPhaseCommit().coordinate(Integer.parseInt(args[1]));
        else participate(Integer.parseInt(args[0]), args[1].equals("ok"));
    }

    void coordinate(int n) throws IOException {
        ServerSocket reports = new ServerSocket(REPORTS);
        ServerSocket votes = new ServerSocket(VOTES);
        Socket[] participants = new Socket[n];
        char decision = 'c';
        for (int i = 0; i < n; i++) participants[i] = votes.accept();
        for (Socket participant : participants) {
            try {
                participant.getOutputStream().write('?');
                if (participant.getInputStream().read() != 'y') decision = 'a';
            } catch (IOException e) {
                decision = 'a';
            }
        }
        for (Socket participant : participants) {
            try {
                participant.getOutputStream().write(decision);
                participant.close();
            } catch (IOException e) {
                // It will ask.
            }
        }
        audit(reports, n, decision);
    }

    /** Hears from each participant what it did, and tells those that ask what to do. */
    void audit(ServerSocket reports, int n, char decision) throws IOException {
        boolean[] heard = new boolean[n];
        for (int left = n; left > 0; ) {
            try (Socket socket = reports.accept()) {
                int number = socket.getInputStream().read(), done = socket.getInputStream().read();
                if (done == 'u') socket.getOutputStream().write(decision);
                if (number < 0 || done < 0 || done == 'u') continue;
                assert done == decision : "decided " + decision + ", but participant " + number + " did " + (char) done;
                if (!heard[number]) left--;
                heard[number] = true;
            } catch (IOException e) {
                // It will come again.
            }
        }
    }

    static void participate(int number, boolean ok) {
        char done = 'a';
        try (Socket socket = connect()) {
            if (socket.getInputStream().read() == '?') {
                done = 'u';
                socket.getOutputStream().write('y');
                int told = socket.getInputStream().read();
                if (told >= 0) done = (char) told;
            }
        } catch (IOException e) {
            // If it has voted, it is uncertain.
        }
        if (done == 'u' && !ok) done = 'a';
        while (!report(number, done)) {
            int told = done == 'u' ? ask(number) : -1;
            if (told >= 0) done = (char) told;
        }
    }

    /** Connects to the coordinator, as soon as that takes votes. */
    static Socket connect() throws IOException {
        for (;;) {
            try {
                return new Socket("localhost", VOTES);
            } catch (ConnectException e) {
                Thread.yield();
            }
        }
    }

    /** Tells the coordinator what was done; whether that need not be tried again. */
    static boolean report(int number, char done) {
        if (done == 'u') return false;
        try (Socket socket = new Socket("localhost", REPORTS)) {
            socket.getOutputStream().write(new byte[] {(byte) number, (byte) done});
            // The end of the stream says that it was read.
            return socket.getInputStream().read() < 0;
        } catch (ConnectException e) {
            return true; // The coordinator has heard from all.
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks what was decided; -1 if there is no answer. */
    static int ask(int number) {
        try (Socket socket = new Socket("localhost", REPORTS)) {
            socket.getOutputStream().write(new byte[] {(byte) number, 'u'});
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
