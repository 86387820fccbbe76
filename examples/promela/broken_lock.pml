/*
 * A lock that does not lock: test and set in two steps.
 *
 * The classic mistake. A process looks whether the lock is free and, if so,
 * takes it; between the look and the taking there is room for another process
 * to look as well.
 *
 * Checked:  the process that has taken the lock is its owner still when it
 *           leaves, and is alone inside.
 * Expected: violated (assertion). The shortest counterexample has both processes
 *           pass the test before either of them sets the lock.
 *
 * Try next: -DATOMIC makes test and set one indivisible step, as the
 *           compare-and-swap instruction of a processor does. The model then holds.
 *           -DN=3 adds a third process.
 */

#ifndef N
#define N 2
#endif

#define FREE 255

byte owner = FREE;
byte inside;

/* An inline is a macro with parameters and a body of statements. */
inline lock(me)
{
#ifdef ATOMIC
    atomic { owner == FREE -> owner = me }
#else
    owner == FREE;
    owner = me
#endif
}

inline unlock(me)
{
    assert(owner == me);
    owner = FREE
}

active [N] proctype worker()
{
    do
    ::  lock(_pid);
        inside++;
        assert(inside == 1);
        inside--;
        unlock(_pid)
    od
}
