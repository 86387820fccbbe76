import java.io.*;
import java.net.*;

/**
 * Chat: workers of a server pass on what each client sends to all others. Arguments: server CLIENTS WORKERS
 * ok|stream|array, or client.
 *
 * There are as many workers at a time as the array has slots. Seeded: with `stream` a worker makes its output stream
 * when it already is in the array, with `array` workers use the array without its lock.
 */
public class Chat {
    static Worker[] workers;
    static String mode;

    public static void main(String[] args) throws Exception {
        if (args[0].equals("client")) client();
        else server(Integer.parseInt(args[1]), Integer.parseInt(args[2]), args[3]);
    }

    static void server(int clients, int size, String how) throws Exception {
        mode = how;
        workers = new Worker[size];
        ServerSocket server = new ServerSocket(9003);
        for (int i = 0; i < clients; i++) {
            int slot;
            synchronized (workers) {
                while ((slot = free()) < 0) workers.wait();
            }
            Worker worker = new Worker(server.accept(), slot);
            synchronized (workers) {
                workers[slot] = worker;
            }
            worker.start();
        }
        server.close();
    }

    static int free() {
        for (int i = 0; i < workers.length; i++) if (workers[i] == null) return i;
        return -1;
    }

    static class Worker extends Thread {
        final Socket socket;
        final int slot;
        OutputStream out;

        Worker(Socket socket, int slot) throws IOException {
            this.socket = socket;
            this.slot = slot;
            if (!mode.equals("stream")) out = socket.getOutputStream();
        }

        @Override
        public void run() {
            try {
                if (out == null) out = socket.getOutputStream();
                InputStream in = socket.getInputStream();
                for (int b; (b = in.read()) >= 0; ) {
                    if (mode.equals("array")) {
                        sendToAll(b);
                    } else {
                        synchronized (workers) {
                            sendToAll(b);
                        }
                    }
                }
                socket.close();
            } catch (IOException e) {
                // The client is gone.
            }
            if (mode.equals("array")) {
                workers[slot] = null;
            } else {
                synchronized (workers) {
                    workers[slot] = null;
                    workers.notifyAll();
                }
            }
        }

        void sendToAll(int b) {
            for (int i = 0; i < workers.length; i++) {
                if (workers[i] != null) workers[i].send(b);
            }
        }

        void send(int b) {
            try {
                out.write(b);
            } catch (IOException e) {
                // Its client is gone.
            }
        }
    }

    static void client() throws IOException {
        Socket socket = new Socket("localhost", 9003);
        socket.getOutputStream().write(7);
        assert socket.getInputStream().read() == 7;
        socket.close();
    }
}
