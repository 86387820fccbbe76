import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Transfers between accounts, each with a {@code ReentrantLock}; an auditor waits on a {@code Condition}
 * until all transfers are done.
 *
 * <p>Arguments: {@code ok|broken} (default ok), the number of accounts (default 2), the number of transfers
 * (default 2). Transfer i goes from account i to the next one in a circle.
 *
 * <p>The broken version locks the account that pays first and the one that is paid second: transfers in a
 * circle may each hold one lock and wait for the next. A checker finds the deadlock. The correct version
 * locks the account with the smaller number first.
 */
public class AccountTransfer {
    private static final class Account {
        final int id;
        final ReentrantLock lock = new ReentrantLock();
        int balance = 10;

        Account(int id) {
            this.id = id;
        }
    }

    /** Counts the transfers that are still to be done. */
    private static final class Book {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition allDone = lock.newCondition();
        private int open;

        Book(int open) {
            this.open = open;
        }

        void done() {
            lock.lock();
            try {
                open--;
                if (open == 0) {
                    allDone.signal();
                }
            } finally {
                lock.unlock();
            }
        }

        void awaitAll() throws InterruptedException {
            lock.lock();
            try {
                while (open > 0) {
                    allDone.await();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static void transfer(Account from, Account to, int amount, boolean broken) {
        boolean swap = !broken && from.id > to.id;
        Account first = swap ? to : from;
        Account second = swap ? from : to;
        first.lock.lock();
        try {
            second.lock.lock();
            try {
                from.balance -= amount;
                to.balance += amount;
            } finally {
                second.lock.unlock();
            }
        } finally {
            first.lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        boolean broken = args.length > 0 && args[0].equals("broken");
        int n = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        int transfers = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Account[] accounts = new Account[n];
        for (int i = 0; i < n; i++) {
            accounts[i] = new Account(i);
        }
        Book book = new Book(transfers);
        for (int i = 0; i < transfers; i++) {
            Account from = accounts[i % n];
            Account to = accounts[(i + 1) % n];
            int amount = i + 1;
            new Thread(() -> {
                transfer(from, to, amount, broken);
                book.done();
            }, "transfer " + i).start();
        }
        book.awaitAll();
        int total = 0;
        for (Account a : accounts) {
            total += a.balance;
        }
        assert total == 10 * n : "total is " + total;
    }
}
