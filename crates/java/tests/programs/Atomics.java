// java.util.concurrent.atomic, used by one thread.
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

public class Atomics {
    volatile int number = 5;
    volatile String text = "old";

    public static void main(String[] args) {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.get() + " " + i.getAndIncrement() + " " + i.incrementAndGet() + " " + i.getAndAdd(10) + " " + i.addAndGet(-3) + " " + i.decrementAndGet() + " "
            + i.compareAndSet(13, 100) + " " + i.compareAndSet(13, 200) + " " + i.getAndSet(7) + " " + i.updateAndGet(x -> x * x) + " " + i.getAndUpdate(x -> -x) + " "
            + i.accumulateAndGet(9, Math::max) + " " + i.getAndAccumulate(1, Integer::sum) + " " + i);
        i.set(Integer.MAX_VALUE);
        System.out.println(i.incrementAndGet() + " " + i.intValue() + " " + i.longValue() + " " + i.getPlain() + " " + i.getAcquire() + " " + i.compareAndExchange(0, 1));
        AtomicLong l = new AtomicLong(1L << 40);
        l.lazySet(l.get() + 1);
        System.out.println(l.getAndIncrement() + " " + l.addAndGet(1L << 40) + " " + l.compareAndSet(1, 2) + " " + l);
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.getAndSet(true) + " " + b.get() + " " + b.compareAndSet(true, false) + " " + b);
        AtomicReference<String> r = new AtomicReference<>("a");
        String a = r.get();
        System.out.println(r.compareAndSet(a, "b") + " " + r.compareAndSet(a, "c") + " " + r.getAndUpdate(s -> s + s) + " " + r);
        AtomicIntegerArray ia = new AtomicIntegerArray(3);
        ia.incrementAndGet(1);
        ia.addAndGet(2, 5);
        System.out.println(ia + " " + ia.compareAndSet(0, 0, 9) + " " + ia.getAndDecrement(0) + " " + ia.length());
        AtomicLongArray la = new AtomicLongArray(new long[] {1, 2});
        AtomicReferenceArray<String> ra = new AtomicReferenceArray<>(new String[] {"x", null});
        ra.compareAndSet(1, null, "y");
        System.out.println(la.getAndAdd(1, 40) + " " + la + " " + ra);
        try {
            ia.get(3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        LongAdder adder = new LongAdder();
        for (int k = 0; k < 10; k++) {
            adder.add(k);
        }
        adder.increment();
        System.out.println(adder.sum() + " " + adder.sumThenReset() + " " + adder);
        LongAccumulator max = new LongAccumulator(Long::max, Long.MIN_VALUE);
        max.accumulate(4);
        max.accumulate(2);
        DoubleAdder d = new DoubleAdder();
        d.add(0.5);
        d.add(0.25);
        System.out.println(max + " " + d.sum());
        Atomics o = new Atomics();
        AtomicIntegerFieldUpdater<Atomics> f = AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "number");
        AtomicReferenceFieldUpdater<Atomics, String> g = AtomicReferenceFieldUpdater.newUpdater(Atomics.class, String.class, "text");
        System.out.println(f.incrementAndGet(o) + " " + f.compareAndSet(o, 6, 60) + " " + g.getAndSet(o, "new") + " " + o.number + o.text);
        AtomicStampedReference<String> s = new AtomicStampedReference<>("s", 0);
        int[] stamp = new int[1];
        System.out.println(s.compareAndSet("s", "t", 0, 1) + " " + s.compareAndSet("t", "u", 0, 1) + " " + s.get(stamp) + stamp[0]);
        AtomicMarkableReference<String> m = new AtomicMarkableReference<>("m", false);
        System.out.println(m.attemptMark("m", true) + " " + m.isMarked() + " " + m.getReference());
    }
}
