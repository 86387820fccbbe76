package sun.nio.ch;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import sun.net.PlatformSocketImpl;

/**
 * A socket on the checker's network: the contract of the JDK's class of this name, in fewer steps.
 *
 * The JDK's class has locks around operations that the operating system keeps apart anyway. Here each operation on
 * the network is one native method, which is one operation to other threads and to other processes. What the class
 * keeps itself is what no operating system needs to know: options, and that a read has come to the end of the stream.
 */
public final class NioSocketImpl extends SocketImpl implements PlatformSocketImpl {
    private static final int NEW = 0, CREATED = 1, CLOSED = 2;
    private static final int NONE = -1;

    private final boolean server;
    /** The socket of the network, or NONE. Written by native methods. */
    private volatile int socket = NONE;
    private volatile int state;
    /** The thread, plus one, of which a part of a write waits. Written by native methods. */
    private volatile int writer;
    /** Whether a read has come to the end of the stream. Written by native methods. */
    private volatile boolean ended;
    /** Whether a connection was made, or an attempt failed. Written by native methods. */
    private volatile boolean connected;
    /** Milliseconds, or zero. Read by native methods. */
    private volatile int timeout;
    private volatile int linger = -1;
    private volatile boolean noDelay, keepAlive, oobInline, reuseAddress;
    private volatile int trafficClass, sendBuffer, receiveBuffer;

    public NioSocketImpl(boolean server) {
        this.server = server;
    }

    /** Binds to a port, or to a free one if it is zero. */
    private native void bind0(int port, boolean reuse) throws IOException;

    /** Listens; whether that is done. */
    private native boolean listen0(int backlog) throws IOException;

    /** Connects within this many milliseconds, or without a limit if they are zero. */
    private native void connect0(int port, int millis) throws IOException;

    /** Accepts a connection into a new socket, within the time limit. */
    private native void accept0(NioSocketImpl accepted) throws IOException;

    /** Up to this many bytes, at least one, within the time limit; null at the end of the stream. */
    private native byte[] read0(int max) throws IOException;

    /** Writes bytes from a place on; how many were accepted. */
    private native int write0(byte[] bytes, int from) throws IOException;

    private native int available0() throws IOException;

    private native void shut0(boolean input) throws IOException;

    private native void close0();

    private native void linger0(boolean zero);

    /** The port at this end, or at the other one. */
    private native int port0(boolean remote);

    private void ensureOpen() throws SocketException {
        if (state == NEW) throw new SocketException("Socket not created");
        if (state == CLOSED) throw new SocketException("Socket closed");
    }

    private void ensureConnected() throws SocketException {
        ensureOpen();
        if (!connected) throw new SocketException("Not connected");
    }

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) throw new IOException("Datagram socket not supported");
        if (state != NEW) throw new IOException("Already created");
        fd = new FileDescriptor();
        reuseAddress = server;
        state = CREATED;
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        connect(new InetSocketAddress(address, port), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int millis) throws IOException {
        if (!(remote instanceof InetSocketAddress)) throw new IllegalArgumentException("Unsupported address type");
        InetSocketAddress isa = (InetSocketAddress) remote;
        if (isa.isUnresolved()) throw new UnknownHostException(isa.getHostName());
        InetAddress to = isa.getAddress();
        if (to.isAnyLocalAddress()) to = InetAddress.getLocalHost();
        checkHost(to);
        ensureOpen();
        if (connected) throw new SocketException("Already connected");
        address = to;
        boolean done = false;
        try {
            connect0(isa.getPort(), millis);
            done = true;
        } finally {
            if (!done) close();
        }
        connected = true;
    }

    /** There is one host. */
    private static void checkHost(InetAddress address) {
        if (!address.isLoopbackAddress() && !address.isAnyLocalAddress()) unsupported(address.getHostAddress());
    }

    /** The search ends: there is no such host here. */
    private static native void unsupported(String host);

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        ensureOpen();
        checkHost(host);
        bind0(port, reuseAddress);
        address = host;
    }

    @Override
    protected void listen(int backlog) throws IOException {
        ensureOpen();
        while (!listen0(backlog < 1 ? 50 : Math.min(backlog, 4000))) {
        }
    }

    @Override
    protected void accept(SocketImpl si) throws IOException {
        NioSocketImpl accepted = (NioSocketImpl) si;
        if (accepted.state != NEW) throw new SocketException("Not a newly created SocketImpl");
        accepted.fd = new FileDescriptor();
        accept0(accepted);
        accepted.address = InetAddress.getLoopbackAddress();
        accepted.state = CREATED;
        accepted.connected = true;
    }

    private int read(byte[] b, int off, int len) throws IOException {
        Objects.checkFromIndexSize(off, len, b.length);
        if (len == 0) return 0;
        byte[] bytes = read0(Math.min(len, 128 * 1024));
        if (bytes == null) return -1;
        System.arraycopy(bytes, 0, b, off, bytes.length);
        return bytes.length;
    }

    private void write(byte[] b, int off, int len) throws IOException {
        Objects.checkFromIndexSize(off, len, b.length);
        if (len == 0) return;
        byte[] bytes = Arrays.copyOfRange(b, off, off + len);
        int done = 0;
        while (done < len) done += write0(bytes, done);
    }

    @Override
    protected InputStream getInputStream() {
        return new Input(this);
    }

    private static final class Input extends InputStream {
        private final NioSocketImpl socket;

        Input(NioSocketImpl socket) {
            this.socket = socket;
        }

        @Override
        public int read() throws IOException {
            byte[] bytes = socket.read0(1);
            return bytes == null ? -1 : bytes[0] & 0xff;
        }

        @Override
        public int read(byte[] b, int off, int len) throws IOException {
            return socket.read(b, off, len);
        }

        @Override
        public int available() throws IOException {
            return socket.available();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Override
    protected OutputStream getOutputStream() {
        return new Output(this);
    }

    private static final class Output extends OutputStream {
        private final NioSocketImpl socket;

        Output(NioSocketImpl socket) {
            this.socket = socket;
        }

        @Override
        public void write(int b) throws IOException {
            socket.write0(new byte[] {(byte) b}, 0);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            socket.write(b, off, len);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Override
    protected int available() throws IOException {
        ensureConnected();
        return available0();
    }

    @Override
    protected void close() throws IOException {
        state = CLOSED;
        close0();
    }

    @Override
    protected void shutdownInput() throws IOException {
        ensureConnected();
        shut0(true);
    }

    @Override
    protected void shutdownOutput() throws IOException {
        ensureConnected();
        shut0(false);
    }

    @Override
    protected boolean supportsUrgentData() {
        return true;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        urgent();
    }

    /** The search ends: there is no urgent data here. */
    private static native void urgent();

    @Override
    protected int getPort() {
        return socket == NONE ? port : port0(true);
    }

    @Override
    protected int getLocalPort() {
        return socket == NONE ? localport : port0(false);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        if (server) return Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.IP_TOS);
        return Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.IP_TOS,
            StandardSocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.TCP_NODELAY);
    }

    private static int number(SocketOption<?> option) {
        if (option == StandardSocketOptions.SO_RCVBUF) return SO_RCVBUF;
        if (option == StandardSocketOptions.SO_SNDBUF) return SO_SNDBUF;
        if (option == StandardSocketOptions.SO_REUSEADDR) return SO_REUSEADDR;
        if (option == StandardSocketOptions.IP_TOS) return IP_TOS;
        if (option == StandardSocketOptions.SO_KEEPALIVE) return SO_KEEPALIVE;
        if (option == StandardSocketOptions.SO_LINGER) return SO_LINGER;
        return TCP_NODELAY;
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        if (!supportedOptions().contains(option)) throw new UnsupportedOperationException("'" + option + "' not supported");
        if (!option.type().isInstance(value)) throw new IllegalArgumentException("Invalid value '" + value + "'");
        setOption(number(option), value);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        if (!supportedOptions().contains(option)) throw new UnsupportedOperationException("'" + option + "' not supported");
        ensureOpen();
        if (option == StandardSocketOptions.SO_LINGER) return (T) Integer.valueOf(linger);
        return (T) getOption(number(option));
    }

    private static boolean flag(Object value, String name) throws SocketException {
        if (value instanceof Boolean) return (Boolean) value;
        throw new SocketException("Bad value for " + name);
    }

    private static int count(Object value, String name) throws SocketException {
        if (value instanceof Integer) return (Integer) value;
        throw new SocketException("Bad value for " + name);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        ensureOpen();
        switch (option) {
            case SO_LINGER:
                linger = Boolean.FALSE.equals(value) ? -1 : count(value, "SO_LINGER");
                linger0(linger == 0);
                break;
            case SO_TIMEOUT:
                timeout = count(value, "SO_TIMEOUT");
                break;
            case IP_TOS:
                trafficClass = count(value, "IP_TOS");
                break;
            case TCP_NODELAY:
                noDelay = flag(value, "TCP_NODELAY");
                break;
            case SO_SNDBUF:
                sendBuffer = count(value, "SO_SNDBUF");
                break;
            case SO_RCVBUF:
                receiveBuffer = count(value, "SO_RCVBUF");
                break;
            case SO_KEEPALIVE:
                keepAlive = flag(value, "SO_KEEPALIVE");
                break;
            case SO_OOBINLINE:
                oobInline = flag(value, "SO_OOBINLINE");
                break;
            case SO_REUSEADDR:
                reuseAddress = flag(value, "SO_REUSEADDR");
                break;
            default:
                throw new SocketException("Unknown option " + option);
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        ensureOpen();
        switch (option) {
            case SO_LINGER:
                return linger < 0 ? (Object) Boolean.FALSE : (Object) Integer.valueOf(linger);
            case SO_TIMEOUT:
                return timeout;
            case IP_TOS:
                return trafficClass;
            case TCP_NODELAY:
                return noDelay;
            case SO_SNDBUF:
                return sendBuffer == 0 ? 2626560 : 2 * sendBuffer;
            case SO_RCVBUF:
                return receiveBuffer == 0 ? (server ? 131072 : 65536) : 2 * receiveBuffer;
            case SO_KEEPALIVE:
                return keepAlive;
            case SO_OOBINLINE:
                return oobInline;
            case SO_REUSEADDR:
                return reuseAddress;
            case SO_BINDADDR:
                return address == null ? InetAddress.getLoopbackAddress() : server ? address : InetAddress.getLoopbackAddress();
            default:
                throw new SocketException("Unknown option " + option);
        }
    }
}
