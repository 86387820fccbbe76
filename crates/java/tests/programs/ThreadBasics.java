// Threads used one after another: start, join, names, states, groups, results.
public class ThreadBasics {
    static class Worker extends Thread {
        int result;

        @Override
        public void run() {
            for (int i = 1; i <= 10; i++) {
                result += i;
            }
            System.out.println("in " + getName() + " " + (Thread.currentThread() == this));
        }
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + " " + main.isDaemon() + " " + main.isAlive() + " " + main.getThreadGroup().getName() + " "
            + main.getState());
        Worker w = new Worker();
        w.setName("worker");
        System.out.println(w.getState() + " " + w.isAlive());
        w.start();
        w.join();
        System.out.println(w.getState() + " " + w.isAlive() + " " + w.result);
        try {
            w.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("started twice");
        }
        int[] box = {0};
        Thread r = new Thread(() -> box[0] = 42, "runner");
        r.setDaemon(true);
        r.setPriority(Thread.MAX_PRIORITY);
        System.out.println(r.getName() + " " + r.isDaemon() + " " + r.getPriority());
        r.start();
        r.join();
        System.out.println(box[0]);
        Thread direct = new Thread(() -> System.out.println("run by " + Thread.currentThread().getName()));
        direct.run();
        System.out.println(direct.getState());
        Thread nested = new Thread(() -> {
            Thread inner = new Thread(() -> System.out.println("inner"), "inner");
            inner.start();
            try {
                inner.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            System.out.println("outer, daemon " + inner.isDaemon());
        });
        nested.start();
        nested.join();
        for (int i = 0; i < 3; i++) {
            int id = i;
            Thread t = new Thread(() -> box[0] += id);
            t.start();
            t.join();
        }
        System.out.println(box[0]);
        try {
            r.setPriority(99);
        } catch (IllegalArgumentException e) {
            System.out.println("priority refused");
        }
        Thread.yield();
        Thread.sleep(1);
        System.out.println(Thread.holdsLock(box));
        synchronized (box) {
            System.out.println(Thread.holdsLock(box));
        }
        System.out.println(new Thread((Runnable) null).getState());
        Thread empty = new Thread();
        empty.start();
        empty.join(1000);
        System.out.println(empty.isAlive());
    }
}
