package java.net;

/**
 * The checker's names of hosts. There is one host, which is called localhost: what the JDK asks the operating system and
 * caches for a while is fixed here.
 */
final class Names {
    private Names() {}

    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    /** The addresses of a host. */
    static InetAddress[] lookup(String host) throws UnknownHostException {
        if (!"localhost".equalsIgnoreCase(host)) unknown(host);
        return new InetAddress[] {InetAddress.getByAddress(host, LOOPBACK)};
    }

    /** The address of this host. */
    static InetAddress local() throws UnknownHostException {
        return InetAddress.getByAddress("localhost", LOOPBACK);
    }

    /** The name of a host. */
    static String name(InetAddress address) {
        return address.isLoopbackAddress() ? "localhost" : address.getHostAddress();
    }

    /** A failure asks the process to end. As the JDK's handler of SIGTERM does, a thread of its own ends it. */
    static void terminate() {
        Ender ender = new Ender();
        ender.setDaemon(false);
        ender.start();
    }

    private static final class Ender extends Thread {
        Ender() {
            super(null, null, "SIGTERM handler", 0, false);
        }

        @Override
        public void run() {
            System.exit(143);
        }
    }

    /** The search ends: there is no such host here. */
    private static native void unknown(String host);
}
