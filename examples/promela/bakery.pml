/*
 * Lamport's bakery: mutual exclusion in the order of arrival.
 *
 * L. Lamport, "A new solution of Dijkstra's concurrent programming problem",
 * Communications of the ACM 17(8), 1974.
 *
 * A customer draws a ticket one higher than every ticket it sees, then lets
 * everybody with a lower ticket go first. Two customers who draw at the same
 * time may hold the same number; the lower process number then goes first. The
 * flag `choosing` keeps others from overtaking a customer whose draw is not finished.
 *
 * The tickets of the real algorithm grow without bound. A model checker wants
 * finitely many states, so each customer here comes ROUNDS times and goes home.
 *
 * Checked:  mutual exclusion, tickets stay in range, everybody gets home (no deadlock).
 * Expected: holds.
 *
 * Try next: -DNO_CHOOSING leaves out the wait for `choosing`; mutual exclusion is
 *           lost. -DROUNDS=4 for more states, -DN=3 -DROUNDS=1 for a third customer.
 */

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

bool choosing[N];
byte ticket[N];         /* 0: no ticket */
byte inside;

/* Is (ticket, number) of process j before that of process i? */
#define before(j, i)  (ticket[j] < ticket[i] || (ticket[j] == ticket[i] && j < i))

active [N] proctype customer()
{
    byte j, highest, round;

    for (round : 1 .. ROUNDS) {

        /* Draw a ticket. The others' tickets are read one by one. */
        choosing[_pid] = true;
        highest = 0;
        for (j : 0 .. N - 1) {
            highest = (ticket[j] > highest -> ticket[j] : highest)
        }
        ticket[_pid] = highest + 1;
        assert(ticket[_pid] <= N * ROUNDS);
        choosing[_pid] = false;

        /* Wait for everybody who comes first. */
        for (j : 0 .. N - 1) {
#ifndef NO_CHOOSING
            !choosing[j];
#endif
            (ticket[j] == 0 || !before(j, _pid))
        }

        inside++;
        assert(inside == 1);
        inside--;

        ticket[_pid] = 0
    }
}
