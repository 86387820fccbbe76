/**
 * Readers and writers: many may read at a time, one may write and then alone.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of readers (default 1), of writers (default 2),
 * and of rounds each (default 1).
 *
 * <p>The broken version looks once, with {@code if}, whether it has to wait before writing. Two writers that
 * wait for the same reader are woken together; the first one goes in, and so does the second one without
 * looking again. A checker finds the run in which the assertion of exclusion fails. The correct version looks
 * again after each waking.
 */
public class ReadersWriters {
    private final boolean broken;
    private int readers;
    private boolean writing;

    /** What is read and written; the numbers of those inside are kept to check the exclusion. */
    private int data;
    private int insideWriters;

    ReadersWriters(boolean broken) {
        this.broken = broken;
    }

    private synchronized void beginRead() throws InterruptedException {
        while (writing) {
            wait();
        }
        readers++;
    }

    private synchronized void endRead() {
        readers--;
        if (readers == 0) {
            notifyAll();
        }
    }

    private synchronized void beginWrite() throws InterruptedException {
        if (broken) {
            if (writing || readers > 0) {
                wait();
            }
        } else {
            while (writing || readers > 0) {
                wait();
            }
        }
        writing = true;
        insideWriters++;
        assert insideWriters == 1 && readers == 0 : insideWriters + " writers and " + readers + " readers at a time";
    }

    private synchronized void endWrite() {
        insideWriters--;
        writing = false;
        notifyAll();
    }

    void read() throws InterruptedException {
        beginRead();
        int before = data;
        int after = data;
        assert before == after : "data changed under a reader";
        endRead();
    }

    void write() throws InterruptedException {
        beginWrite();
        data++;
        endWrite();
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int readers = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int writers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        ReadersWriters shared = new ReadersWriters(broken);
        Thread[] all = new Thread[readers + writers];
        for (int i = 0; i < all.length; i++) {
            boolean reads = i < readers;
            all[i] = new Thread(() -> {
                try {
                    for (int r = 0; r < rounds; r++) {
                        if (reads) {
                            shared.read();
                        } else {
                            shared.write();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, (reads ? "reader " : "writer ") + i);
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        assert shared.data == writers * rounds : "data is " + shared.data;
    }
}
