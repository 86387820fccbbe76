import java.util.concurrent.locks.ReentrantLock;

/**
 * Transfers between accounts, each with a {@code ReentrantLock}; at the end nothing may be missing.
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
        Thread[] all = new Thread[transfers];
        for (int i = 0; i < transfers; i++) {
            Account from = accounts[i % n];
            Account to = accounts[(i + 1) % n];
            int amount = i + 1;
            all[i] = new Thread(() -> transfer(from, to, amount, broken), "transfer " + i);
            all[i].start();
        }
        for (Thread t : all) {
            t.join();
        }
        int total = 0;
        for (Account a : accounts) {
            total += a.balance;
        }
        assert total == 10 * n : "total is " + total;
    }
}
