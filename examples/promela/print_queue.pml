/*
 * A print queue: sorted send, receive from the middle, peeking, provided.
 *
 * Jobs wait in the order of their urgency, a lower number first. `queue!!job` puts
 * a message where it belongs in the order, not at the end; `queue??pattern` takes
 * the first message that matches, wherever it stands, so that a user can cancel a
 * job; `queue?<pattern>` looks at the head without taking it. The printer runs
 * only while there is paper: a process with a `provided` clause makes no step
 * unless its condition holds.
 *
 * Checked:  the printer always takes the most urgent job; a job is printed or
 *           cancelled, never both; no deadlock.
 * Expected: holds.
 *
 * Try next: -DPLAIN sends with `!`, first come, first served: a job may be printed
 *           before a more urgent one (assertion violated). -DUSERS=4 for more states.
 */

#ifndef USERS
#define USERS 3
#endif

chan queue = [USERS] of { byte, pid };          /* urgency, owner */
bool printed[USERS + 1];                        /* users have numbers 1 to USERS */
bool paper = true;

active proctype printer() provided (paper)
{
    byte urgency, next;
    pid  owner;

end:
    do
    ::  atomic {
            queue?urgency, owner ->
            if
            ::  queue?<next, _> -> assert(urgency <= next)
            ::  empty(queue)
            fi
        };
        printf("a job of user %d, urgency %d\n", owner, urgency);
        assert(!printed[owner]);
        atomic { printed[owner] = true; urgency = 0; next = 0; owner = 0 }
    od
}

active [USERS] proctype user()
{
    byte urgency;

    select (urgency : 1 .. 2);
#ifdef PLAIN
    queue!urgency, _pid;
#else
    queue!!urgency, _pid;
#endif
    if
    ::  printed[_pid]
    ::  queue??eval(urgency), eval(_pid) ->     /* cancel */
        assert(!printed[_pid])
    fi
}

active proctype tray()
{
    paper = false;
    paper = true
}
