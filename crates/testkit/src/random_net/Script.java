import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** Runs the operations that its arguments say, a thread for each argument, and prints what they gave. */
public class Script {
    static volatile ServerSocket server;
    static Script[] threads;

    final String[] ops;
    final StringBuilder log = new StringBuilder();
    Socket socket;
    Thread thread;

    Script(String ops) {
        this.ops = ops.split("_");
    }

    void run() {
        for (String op : ops) {
            try {
                step(op.charAt(0), op.length() > 1 ? Integer.parseInt(op.substring(1)) : 0);
            } catch (IOException e) {
                String message = e.getMessage();
                log.append('!').append(message.endsWith("closed") ? "closed" : message).append(';');
            }
        }
    }

    void step(char op, int n) throws IOException {
        switch (op) {
            case 'L':
                server = new ServerSocket(n % 100000, n / 100000);
                break;
            case 'Q':
                server.close();
                break;
            case 'S':
                threads[1].thread = new Thread(threads[1]::run);
                threads[1].thread.start();
                return;
            case 'X':
                System.out.print(log);
                System.exit(0);
            case 'A':
                socket = null;
                socket = server.accept();
                break;
            case 'C':
                socket = null;
                socket = new Socket("localhost", n);
                break;
            default:
                if (socket == null) {
                    op = '-';
                } else if (op == 'R' || op == 'T') {
                    socket.setSoTimeout(op == 'T' ? 10 : 0);
                    int n_read = socket.getInputStream().read(new byte[n]);
                    log.append('R').append(n_read).append(';');
                    return;
                } else if (op == 'W') {
                    socket.getOutputStream().write(new byte[n]);
                } else if (op == 'V') {
                    log.append('V').append(socket.getInputStream().available()).append(';');
                    return;
                } else if (op == 'H') {
                    socket.shutdownOutput();
                } else {
                    socket.close();
                    socket = null;
                }
        }
        log.append(op).append(';');
    }

    public static void main(String[] args) throws InterruptedException {
        threads = new Script[args.length];
        for (int i = 0; i < args.length; i++) threads[i] = new Script(args[i]);
        threads[0].run();
        StringBuilder all = new StringBuilder(threads[0].log);
        for (int i = 1; i < args.length; i++) {
            if (threads[i].thread != null) threads[i].thread.join();
            all.append('|').append(threads[i].log);
        }
        System.out.print(all);
    }
}
