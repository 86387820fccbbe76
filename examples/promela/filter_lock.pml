/*
 * The filter lock: Peterson's algorithm for N processes.
 *
 * To enter, a process climbs N - 1 levels. At each level it names itself the
 * victim; it goes up once it is alone at this level or higher, or once somebody
 * else has become the victim. Each level holds at least one process back.
 * The others are looked at one at a time, as a program would have to.
 *
 * Checked:  mutual exclusion; no deadlock.
 * Expected: holds.
 *
 * Try next: -DLEVELS=1 leaves a level out, and two of the three processes meet
 *           inside. -DN=2 is Peterson's algorithm. -DN=4 has millions of states.
 */

#ifndef N
#define N 3
#endif
#ifndef LEVELS
#define LEVELS (N - 1)
#endif

byte level[N];          /* 0: not interested */
byte victim[N];         /* by level; place 0 is not used */
byte inside;

active [N] proctype user()
{
    byte l, k;

    do
    ::  for (l : 1 .. LEVELS) {
            level[_pid] = l;
            victim[l] = _pid;

            /* Go on only when nobody else stands in the way. */
            k = 0;
            do
            ::  k == N -> break
            ::  k < N && (k == _pid || level[k] < l) -> k++
            ::  k < N && victim[l] != _pid -> break
            od
        }

        inside++;
        assert(inside == 1);
        inside--;

        level[_pid] = 0
    od
}
