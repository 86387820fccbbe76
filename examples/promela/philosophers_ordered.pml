/*
 * Dining philosophers, repaired: forks are taken in the order of their numbers.
 *
 * With a common order in which resources are taken, a circle of processes that
 * wait for one another cannot close. The last philosopher, between fork N - 1 and
 * fork 0, takes the right fork first; all others take the left one first.
 *
 * A fork is a channel that holds one message while the fork lies on the table:
 * to receive is to take, to send is to put back. The channels are handed to the
 * philosophers as parameters.
 *
 * Checked:  neighbours never eat at the same time; no deadlock.
 * Expected: holds.
 *
 * Try next: -DCIRCULAR takes the left fork first everywhere: the deadlock is back.
 *           The state space grows about fivefold with each philosopher: -DN=9 has
 *           2.3 million states and serves as a benchmark.
 */

#ifndef N
#define N 5
#endif

mtype = { fork };

chan table[N] = [1] of { mtype };
bool eats[N];

proctype philosopher(byte seat; chan first, second)
{
    do
    ::  skip;                   /* thinking */
        first?fork;
        second?fork;

        d_step {
            eats[seat] = true;
            assert(!eats[(seat + 1) % N] && !eats[(seat + N - 1) % N])
        };
        eats[seat] = false;

        second!fork;
        first!fork
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            table[i]!fork
        }
        for (i : 0 .. N - 2) {
            run philosopher(i, table[i], table[i + 1])
        }
#ifdef CIRCULAR
        run philosopher(N - 1, table[N - 1], table[0])
#else
        run philosopher(N - 1, table[0], table[N - 1])
#endif
    }
}
