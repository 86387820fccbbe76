package allways;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Choices for programs that are to be checked in all their runs.
 *
 * <p>A program asks for a value and the checker goes on with each of them: {@code Choose.range(0, 3)} has
 * four continuations, just as a step of the scheduler has one for each thread that can go on. Inputs, faults
 * of the environment and abstracted computations are written this way.
 *
 * <p><b>Without the checker</b> the same class runs on any Java virtual machine and chooses at random, so
 * that a program can be tried and debugged as usual. System properties say how:
 * <ul>
 * <li>{@code allways.seed}: a number; two runs with the same seed get the same sequence of choices. (Which
 * thread gets which of them is up to the scheduler of the virtual machine.) Without it every run has a seed
 * of its own.
 * <li>{@code allways.seed.print}: if {@code true}, the seed is printed on standard error at the first use, as
 * {@code allways.seed=N}, so that an interesting run can be had again.
 * <li>{@code allways.assume}: if {@code throw}, a failed {@link #assume} throws {@link Rejected} rather than
 * ending the virtual machine.
 * </ul>
 *
 * <p><b>Under the checker</b> the methods {@code choose(int)}, {@code reject()}, {@code enterAtomic()} and
 * {@code leaveAtomic()} are replaced by the checker's own, found by class, name and descriptor. All choices,
 * rejections and atomic sections go through these four and nothing else here has an effect of its own; what
 * they need on a plain virtual machine is in a class that is never initialised under the checker.
 */
public final class Choose {
    private Choose() {}

    /**
     * Chooses a truth value.
     *
     * @return {@code false} or {@code true}
     */
    public static boolean bool() {
        return choose(2) == 1;
    }

    /**
     * Which of several equal processes this is, so that one class can be all of them.
     *
     * @return the number of the process within {@code --process 'NAME*N=...'}, from zero on. Without the checker, the
     * system property {@code allways.process}, or zero
     */
    public static int process() {
        return Integer.getInteger("allways.process", 0);
    }

    /**
     * Chooses a number.
     *
     * @param from the least number
     * @param to the greatest number, included
     * @return a number from {@code from} to {@code to}
     * @throws IllegalArgumentException if {@code to} is less than {@code from}, or if there are more than
     * {@code Integer.MAX_VALUE} numbers
     */
    public static int range(int from, int to) {
        long size = (long) to - from + 1;
        if (size < 1 || size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("no choice from " + from + " to " + to);
        }
        return from + choose((int) size);
    }

    /**
     * Chooses one of the given values, by position: a value given twice is two choices.
     *
     * @param values the values, at least one; {@code null} may be among them
     * @param <T> their type
     * @return one of the values
     * @throws IllegalArgumentException if there is no value
     */
    @SafeVarargs
    public static <T> T of(T... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no choice from no values");
        }
        return values[choose(values.length)];
    }

    /**
     * Goes on only if the condition is true: a run for which it is false is no run of the program.
     *
     * <p>The checker drops such a run without a word: it is no error, no deadlock and no end of the program,
     * and nothing that would have come after it is looked at. Note that what has happened before the call has
     * been looked at.
     *
     * <p>On a plain virtual machine a false condition ends the whole program at once and quietly, with exit
     * code 0: standard output is flushed and the virtual machine halted. No {@code finally} block, shutdown
     * hook or other thread runs on, since none of them would in a run that does not exist. With the system
     * property {@code allways.assume} set to {@code throw}, {@link Rejected} is thrown instead; that is for
     * test frameworks, whose virtual machine must live on.
     *
     * @param condition what is assumed
     */
    public static void assume(boolean condition) {
        if (!condition) {
            reject();
        }
    }

    /**
     * Runs the body as one step: no other thread runs from its beginning to its end, whether it ends normally
     * or with an exception.
     *
     * <p>Sections nest; the outermost one counts. The body must not wait for another thread, be it for a
     * monitor, a lock or a condition. On a plain virtual machine sections exclude each other by one global
     * lock, but not code outside of sections.
     *
     * @param body what is run
     */
    public static void atomically(Runnable body) {
        enterAtomic();
        try {
            body.run();
        } finally {
            leaveAtomic();
        }
    }

    /**
     * Begins an atomic section of the current thread, as {@link #atomically} does. The section ends with the
     * {@link #endAtomic} that belongs to it, best in a {@code finally} block.
     */
    public static void beginAtomic() {
        enterAtomic();
    }

    /**
     * Ends the atomic section that the current thread has begun last.
     *
     * @throws IllegalMonitorStateException if the current thread is in no atomic section
     */
    public static void endAtomic() {
        leaveAtomic();
    }

    /**
     * What a failed {@link Choose#assume} throws on a plain virtual machine with {@code
     * allways.assume=throw}. It is an error, so that a handler for exceptions does not take it for one of the
     * program's own. It is never thrown under the checker.
     */
    public static final class Rejected extends Error {
        private static final long serialVersionUID = 1L;

        Rejected() {
            super("an assumption does not hold: this run is none of the program", null, false, false);
        }
    }

    // The four methods below are replaced by the checker. Their names and descriptors are fixed.

    /** Chooses a number from 0 to {@code n - 1}, for a positive {@code n}: the one source of all choices. */
    static int choose(int n) {
        return Plain.choose(n);
    }

    /** Ends a run that is none. Does not return. */
    static void reject() {
        Plain.reject();
    }

    /** Enters an atomic section; sections of one thread nest. */
    static void enterAtomic() {
        Plain.ATOMIC.lock();
    }

    /** Leaves the innermost atomic section of the current thread. */
    static void leaveAtomic() {
        Plain.ATOMIC.unlock();
    }

    /** What a plain virtual machine needs; never initialised under the checker. */
    private static final class Plain {
        static final ReentrantLock ATOMIC = new ReentrantLock();
        private static final Random RANDOM = random();

        private static Random random() {
            Long given = Long.getLong("allways.seed");
            long seed = given != null ? given : new Random().nextInt();
            if (Boolean.getBoolean("allways.seed.print")) {
                System.err.println("allways.seed=" + seed);
            }
            // Neighbouring seeds give Random the same first bits; these are mixed first.
            return new Random(new SplittableRandom(seed).nextLong());
        }

        static int choose(int n) {
            return RANDOM.nextInt(n);
        }

        static void reject() {
            if ("throw".equals(System.getProperty("allways.assume"))) {
                throw new Rejected();
            }
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(0);
        }
    }
}
