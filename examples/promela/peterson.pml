/*
 * Peterson's algorithm: mutual exclusion for two processes.
 *
 * G. L. Peterson, "Myths about the mutual exclusion problem", Information
 * Processing Letters 12(3), 1981.
 *
 * Each process first says that it wants to enter, then gives the turn away.
 * It waits only while the other process wants to enter too and has the turn.
 * No instruction stronger than a plain read or write is needed.
 *
 * Checked:  never two processes in the critical section (the assertion);
 *           no deadlock (built in: both processes loop for ever).
 * Expected: holds.
 *
 * Try next: -DSWAPPED gives the turn away before saying "I want". The two lines
 *           look interchangeable and are not: the assertion fails. This is also
 *           what a processor that reorders writes would make of the program.
 */

bool wants[2];
bit  turn;
byte inside;            /* how many processes are in the critical section */

active [2] proctype user()
{
    pid other = 1 - _pid;

    do
    ::  skip;           /* the non-critical section */

#ifdef SWAPPED
        turn = other;
        wants[_pid] = true;
#else
        wants[_pid] = true;
        turn = other;
#endif

        /* A statement that is not true blocks: this line waits. */
        (!wants[other] || turn == _pid);

        inside++;
        assert(inside == 1);
        inside--;

        wants[_pid] = false
    od
}
