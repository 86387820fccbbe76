//! Warnings about the order in which a Java program's threads take monitors and locks.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::assert_has;
use crate::java_properties::{check, compiled};
use serde_json::Value;

const ORDERS: &str = "public class Orders {
    static final Object A = new Object(), B = new Object(), GATE = new Object();

    static void ab() {
        synchronized (A) {
            synchronized (B) { }
        }
    }

    static void ba() {
        synchronized (B) {
            synchronized (A) { }
        }
    }

    public static void main(String[] args) throws Exception {
        boolean gate = args[0].equals(\"gate\");
        Thread t = new Thread(() -> { if (gate) synchronized (GATE) { ab(); } else ab(); });
        Thread u = new Thread(() -> { if (gate) synchronized (GATE) { ba(); } else ba(); });
        t.start();
        if (!gate) t.join();
        u.start();
    }
}
";

/// Orders of locks and monitors of three threads that never meet.
const LOCK_ORDERS: &str = "import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.*;
public class LockOrders {
    static final Lock A = new ReentrantLock(), B = new ReentrantLock(), C = new ReentrantLock();
    static final Condition FULL = B.newCondition();
    static final ReentrantLock GATE = new ReentrantLock();
    static final ReentrantReadWriteLock TABLE = new ReentrantReadWriteLock();
    static final Lock READ = TABLE.readLock();
    static final Object M = new Object();

    static void both(Lock first, Lock second) {
        first.lock();
        second.lock();
        second.unlock();
        first.unlock();
    }

    static void tried(Lock first, Lock second, boolean timed) throws InterruptedException {
        first.lock();
        if (timed ? second.tryLock(1, TimeUnit.SECONDS) : second.tryLock()) second.unlock();
        first.unlock();
    }

    static void gated(Lock first, Lock second) {
        GATE.lock();
        both(first, second);
        GATE.unlock();
    }

    static void within(Lock inner) {
        synchronized (M) {
            inner.lock();
            inner.unlock();
        }
    }

    static void around(Lock outer) {
        outer.lock();
        synchronized (M) { }
        outer.unlock();
    }

    static void pause(boolean inMonitor, Lock held) throws InterruptedException {
        synchronized (M) {
            B.lock();
            held.lock();
            if (inMonitor) M.wait(1); else FULL.await(1, TimeUnit.SECONDS);
            held.unlock();
            B.unlock();
        }
    }

    static void maybe(boolean withFirst, Lock first, Lock second) {
        if (withFirst) first.lock();
        second.lock();
        second.unlock();
        if (withFirst) first.unlock();
    }

    static void run(String mode, int who) throws InterruptedException {
        Lock[] locks = {A, B, C};
        switch (mode) {
            case \"both\" -> { if (who < 2) both(locks[who], locks[1 - who]); }
            case \"circle\" -> both(locks[who], locks[(who + 1) % 3]);
            case \"mixed\" -> { if (who == 0) within(A); if (who == 1) around(A); }
            case \"write\" -> { if (who == 0) within(TABLE.writeLock()); if (who == 1) around(TABLE.writeLock()); }
            case \"gate\" -> gated(locks[who], locks[(who + 1) % 3]);
            case \"try\" -> { if (who == 0) both(A, B); if (who > 0) tried(B, A, who == 2); }
            case \"maybe\" -> {
                if (who == 1) both(B, A);
                if (who == 0) for (boolean withFirst : new boolean[] {false, true}) maybe(withFirst, A, B);
            }
            case \"wait\" -> { if (who == 0) pause(true, A); if (who == 1) within(A); }
            case \"await\" -> { if (who == 0) pause(false, A); if (who == 1) both(B, A); }
            // The lock is not free: trying fails.
            case \"fail\" -> {
                if (who == 0) both(A, B);
                if (who == 1) {
                    A.lock();
                    Thread other = new Thread(() -> { try { tried(B, A, false); } catch (Exception e) { } });
                    other.start();
                    other.join();
                    A.unlock();
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            int who = i;
            Thread t = new Thread(() -> { try { run(args[0], who); } catch (InterruptedException e) { } }, \"t\" + i);
            t.start();
            t.join();
        }
    }
}
";

#[test]
fn opposite_orders_of_monitors_are_a_warning() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Orders", ORDERS);
    let told = "lock order: Thread-0 enters Orders.A (Orders.java:5) and then Orders.B (Orders.java:6), \
                Thread-1 enters Orders.B (Orders.java:11) and then Orders.A (Orders.java:12)";
    for with in [&["--", "apart"][..], &["--no-reduce", "--", "apart"]] {
        let run = check(&sandbox, "Orders", with);
        assert_eq!(run.code, 0, "{run:?}");
        assert_has(&run.out, &[told, "can wait for each other indefinitely"]);
    }
    let run = check(&sandbox, "Orders", &["--json", "--", "apart"]);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["warnings"][0], told);
    let run = check(&sandbox, "Orders", &["--", "gate"]);
    assert!(!run.out.contains("lock order"), "{run:?}");
}

#[test]
fn orders_of_locks_and_monitors_are_a_warning() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "LockOrders", LOCK_ORDERS);
    let orders = [
        ("both", "t0 enters A (12) and then B (13), t1 enters B (12) and then A (13)"),
        (
            "circle",
            "t0 enters A (12) and then B (13), t1 enters B (12) and then C (13), t2 enters C (12) and then A (13)",
        ),
        ("mixed", "t0 enters M (31) and then A (32), t1 enters A (38) and then M (39)"),
        ("write", "t0 enters M (31) and then TABLE (32), t1 enters TABLE (38) and then M (39)"),
        // What a thread holds is not told by its stack.
        ("maybe", "t0 enters A (54) and then B (55), t1 enters B (12) and then A (13)"),
        // Whoever waits takes again what it waits on.
        ("wait", "t0 enters A (46) and then M (47), t1 enters M (31) and then A (32)"),
        ("await", "t0 enters A (46) and then B (47), t1 enters B (12) and then A (13)"),
        ("gate", ""),
        ("try", ""),
        ("fail", ""),
    ];
    for (mode, expected) in orders {
        for with in [&[][..], &["--no-reduce"], &["--jdk-locks"]] {
            let run = check(&sandbox, "LockOrders", &[with, &["--", mode]].concat());
            assert_eq!(run.code, 0, "{run:?}");
            let told = run.out.lines().filter_map(|line| line.strip_prefix("lock order: "));
            let told: Vec<String> =
                told.map(|line| line.replace("LockOrders.java:", "").replace("LockOrders.", "")).collect();
            assert_eq!(told.join("; "), expected, "{mode} {with:?} {run:?}");
        }
    }
}
