/*
 * Paxos: agreement on one value, though proposers compete and acceptors stop.
 *
 * L. Lamport, "The part-time parliament", ACM Transactions on Computer Systems
 * 16(2), 1998; the single-decree protocol.
 *
 * A proposer with ballot b asks the acceptors for a promise to ignore ballots
 * below b. From the answers of a majority it learns whether some value may have
 * been chosen already; if so, it proposes that value and not its own. A value that a
 * majority accepts under the same ballot is chosen.
 *
 * Proposer p has ballot p + 1 and value p + 1, so that every ballot belongs to
 * one proposer. A message may be slow, which covers its loss; an acceptor may
 * stop for good at any time.
 *
 * Checked:  no two different values are chosen.
 * Expected: holds. (Every process may stop anywhere, so end labels say that
 *           waiting for ever is no error here: Paxos promises safety only.)
 *
 * Try next: -DSTUBBORN makes a proposer insist on its own value, whatever it has
 *           learned: two values are chosen. -DPROPOSERS=3 for many more states.
 */

#ifndef PROPOSERS
#define PROPOSERS 2
#endif
#ifndef ACCEPTORS
#define ACCEPTORS 3
#endif
#define MAJORITY (ACCEPTORS / 2 + 1)

mtype = { prepare, accept };

/* To an acceptor: kind, ballot, value. To a proposer: ballot and value accepted. */
chan inbox[ACCEPTORS]    = [2 * PROPOSERS] of { mtype, byte, byte };
chan promised[PROPOSERS] = [ACCEPTORS] of { byte, byte };

byte tally[PROPOSERS + 1];      /* by ballot: how many acceptors have accepted */
byte chosen;                    /* the value chosen; 0: none yet */

inline broadcast(kind, value)
{
    for (i : 0 .. ACCEPTORS - 1) {
        inbox[i]!kind(ballot, value)
    };
    i = 0
}

proctype proposer(byte me)
{
    byte ballot = me + 1, value = me + 1;
    byte i, answers, b, v, highest;

    atomic { broadcast(prepare, 0) }

end:
    do
    ::  answers < MAJORITY ->
endwait:
        atomic {
            promised[me]?b, v;
            answers++;
            if
#ifndef STUBBORN
            ::  b > highest -> highest = b; value = v
#endif
            ::  else
            fi;
            b = 0; v = 0
        }
    ::  else -> break
    od;

    atomic { broadcast(accept, value) }
}

proctype acceptor(byte me)
{
    byte promise, accepted, held;       /* ballots, and the value held */
    byte b, v;

end:
    do
    ::  atomic { inbox[me]?prepare(b, _) ->
            if
            ::  b > promise -> promise = b; promised[b - 1]!accepted, held
            ::  else
            fi;
            b = 0
        }
    ::  atomic { inbox[me]?accept(b, v) ->
            if
            ::  b >= promise ->
                promise = b; accepted = b; held = v;
                tally[b]++;
                if
                ::  tally[b] == MAJORITY ->
                    assert(chosen == 0 || chosen == v);
                    chosen = v
                ::  else
                fi
            ::  else
            fi;
            b = 0; v = 0
        }
    ::  break                           /* this acceptor stops */
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. ACCEPTORS - 1) { run acceptor(i) };
        for (i : 0 .. PROPOSERS - 1) { run proposer(i) }
    }
}
