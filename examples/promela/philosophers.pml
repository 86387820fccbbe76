/*
 * Dining philosophers, the way they starve together.
 *
 * N philosophers sit at a round table with a fork between every two. To eat, a
 * philosopher takes the fork on the left, then the fork on the right. When all
 * have taken their left fork, nobody can go on.
 *
 * Checked:  no fork is held twice; no deadlock.
 * Expected: violated (deadlock: an invalid end state). A state without a
 *           successor is in order only when every process has ended or stands at
 *           a label that begins with `end`; here everybody waits for a fork.
 *
 * Try next: philosophers_ordered.pml has one of the remedies. -DN=8 makes the table
 *           larger; compare the length of the path to the deadlock that
 *           depth-first and breadth-first search report.
 */

#ifndef N
#define N 4
#endif

#define NOBODY 255

byte holder[N] = NOBODY;        /* who has the fork */

inline take(fork)
{
    atomic { holder[fork] == NOBODY -> holder[fork] = seat }
}

inline put(fork)
{
    assert(holder[fork] == seat);
    holder[fork] = NOBODY
}

proctype philosopher(byte seat)
{
    byte left = seat, right = (seat + 1) % N;

    do
    ::  take(left);
        take(right);

        /* Eating. */
        assert(holder[left] == seat && holder[right] == seat);

        put(right);
        put(left)
    od
}

init
{
    byte i;

    /* atomic: all sit down before the first one reaches for a fork. */
    atomic {
        for (i : 0 .. N - 1) {
            run philosopher(i)
        }
    }
}
