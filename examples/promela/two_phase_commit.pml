/*
 * Two-phase commit, with participants and a coordinator that may crash.
 *
 * First the coordinator asks everybody to vote, then it tells them the outcome:
 * commit if all have voted yes, abort otherwise. A participant that has voted no
 * may abort at once; one that has voted yes must wait for the outcome.
 *
 * A participant may crash before it votes. The coordinator notices that no answer
 * comes (`timeout`) and aborts.
 *
 * Checked:  nobody commits when another has aborted, or when somebody has voted no
 *           (the assertions); nobody who is alive is stuck (no deadlock).
 * Expected: holds.
 *
 * Try next: -DCRASH lets the coordinator crash too, between the two phases or half
 *           way through the second. The outcome stays consistent, but those who
 *           voted yes wait for ever: two-phase commit blocks, and the checker says
 *           so with a deadlock. -DCRASH -DEAGER lets the participants give
 *           up waiting and abort; now the outcome is not consistent any more.
 */

#ifndef N
#define N 3
#endif

mtype = { yes, no, commit, abort, undecided, crashed };

chan votes       = [N] of { mtype };
chan decision[N] = [1] of { mtype };

mtype outcome[N] = undecided;
bool  refused;                  /* somebody has voted no */

inline decide(result)
{
    atomic {
        outcome[me] = result;
        for (k : 0 .. N - 1) {
            assert(!(outcome[me] == commit && outcome[k] == abort));
            assert(!(outcome[me] == abort && outcome[k] == commit))
        };
        assert(!(outcome[me] == commit && refused));
        k = 0
    }
}

proctype participant(byte me)
{
    byte  k;
    mtype result;

    if
    ::  outcome[me] = crashed
    ::  atomic { refused = true; votes!no }; decide(abort)
    ::  votes!yes;
        if
        ::  decision[me]?result; decide(result)
#ifdef EAGER
        ::  timeout -> decide(abort)
#endif
        fi
    fi
}

active proctype coordinator()
{
    byte  i, agreed;
    mtype vote, result = commit;

    atomic {
        for (i : 0 .. N - 1) {
            run participant(i)
        }
    };

    /* Phase one: collect the votes. */
    do
    ::  agreed == N -> break
    ::  votes?vote ->
        if
        ::  vote == yes -> agreed++
        ::  vote == no -> result = abort; break
        fi
    ::  timeout -> result = abort; break
    od;

#ifdef CRASH
    if
    ::  goto dead
    ::  skip
    fi;
#endif

    /* Phase two: tell everybody, those who have gone already too. */
    for (i : 0 .. N - 1) {
        decision[i]!result;
#ifdef CRASH
        if
        ::  goto dead
        ::  skip
        fi
#endif
    }

#ifdef CRASH
dead:
    skip
#endif
}
