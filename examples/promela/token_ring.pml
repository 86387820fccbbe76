/*
 * A token ring whose stations fail: `unless`.
 *
 * A token goes round; only its holder may send. A station can fail at any moment
 * and restarts at once, but forgets that it had the token. When the whole ring
 * stands still (`timeout`) the monitor puts a new token in.
 *
 * `{ normal } unless { failure }`: before every step of the normal part, the first
 * statement of the second part is tried; once it can be executed, it takes over.
 *
 * Checked:  there is never more than one token, and only its holder sends; the
 *           ring does not stop for good (no deadlock).
 * Expected: holds.
 *
 * Try next: -DHASTY makes the monitor put a token in as soon as it sees none between
 *           the stations. It forgets the one that a station holds: two tokens
 *           (with N = 3). -DN=4 or -DFAILURES=3 for more states.
 */

#ifndef N
#define N 3
#endif
#ifndef FAILURES
#define FAILURES 2
#endif

mtype = { token };

chan ring[N] = [1] of { mtype };        /* ring[i] leads to station i */
bool holds[N], failed[N];
byte tokens, sending;

proctype station(byte me)
{
    byte next = (me + 1) % N;

restart:
    {
        do
        ::  atomic { ring[me]?token -> holds[me] = true };
            if
            ::  sending++;              /* there is something to send */
                assert(sending == 1);
                sending--
            ::  skip                    /* there is not */
            fi;
            atomic { ring[next]!token; holds[me] = false }
        od
    } unless {
        atomic {
            failed[me] ->
            failed[me] = false;
            if
            ::  holds[me] -> holds[me] = false; tokens--; sending = 0
            ::  else
            fi
        };
        goto restart
    }
}

proctype bad_luck()
{
    byte n, who;

    for (n : 1 .. FAILURES) {
        select (who : 0 .. N - 1);
        tokens > 0;                     /* nothing happens to a ring at rest */
        failed[who] = true
    }
}

proctype monitor()
{
    do
#ifdef HASTY
    ::  len(ring[0]) + len(ring[1]) + len(ring[N - 1]) == 0 ->
#else
    ::  timeout ->
#endif
        atomic {
            tokens++;
            assert(tokens == 1);
            ring[0]!token
        }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. N - 1) {
            run station(i)
        };
        run bad_luck();
        run monitor()
    }
}
