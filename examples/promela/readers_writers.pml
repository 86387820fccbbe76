/*
 * Readers and writers with two semaphores, readers first.
 *
 * P. J. Courtois, F. Heymans, D. L. Parnas, "Concurrent control with 'readers'
 * and 'writers'", Communications of the ACM 14(10), 1971, the first of its two
 * solutions. Readers may share the data, a writer needs it alone. The first
 * reader in locks the writers out and the last one out lets them in again.
 *
 * Checked:  no writer together with a reader or with another writer; no deadlock.
 * Expected: holds.
 *
 * The never claim at the end is for a liveness run: it matches a run in which a
 * writer that waits does so for ever. A check for safety reads it and says that
 * it ignores it. (It would find one: readers that take turns starve the writer.)
 *
 * Try next: -DNO_MUTEX drops the semaphore around the reader count; two readers
 *           then may both take themselves for the first, or neither for the last.
 *           -DREADERS=3 for more states.
 */

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

byte mutex = 1;         /* guards `count` */
byte free  = 1;         /* nobody uses the data, or the readers share it */
byte count;             /* readers that have announced themselves */

byte reading, writing;  /* who is really there, for the assertions */
bool waiting[READERS + WRITERS];

#define down(s)  atomic { s > 0 -> s-- }
#define up(s)    s++

#ifdef NO_MUTEX
#define enter    skip
#define leave    skip
#else
#define enter    down(mutex)
#define leave    up(mutex)
#endif

active [READERS] proctype reader()
{
    do
    ::  enter;
        count++;
        if
        ::  count == 1 -> down(free)
        ::  else
        fi;
        leave;

        reading++;
        assert(writing == 0);
        reading--;

        enter;
        count--;
        if
        ::  count == 0 -> up(free)
        ::  else
        fi;
        leave
    od
}

active [WRITERS] proctype writer()
{
    do
    ::  waiting[_pid] = true;
        down(free);
        waiting[_pid] = false;

        writing++;
        assert(writing == 1 && reading == 0);
        writing--;

        up(free)
    od
}

/* Eventually the first writer waits, and goes on waiting. */
never {
    do
    ::  true
    ::  waiting[READERS] -> goto accept
    od;
accept:
    do
    ::  waiting[READERS]
    od
}
