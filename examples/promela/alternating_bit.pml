/*
 * The alternating bit protocol over channels that lose messages.
 *
 * K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, "A note on reliable
 * full-duplex transmission over half-duplex links", Communications of the ACM
 * 12(5), 1969.
 *
 * The sender adds one bit to each message and repeats the message until an
 * acknowledgement with this bit comes back; then it flips the bit. The receiver
 * acknowledges whatever arrives and delivers only what has the bit it expects.
 *
 * The two wires are processes. A wire forwards a message or forgets it.
 * Payloads count 0, 1, ... modulo K; with more values than there can be messages
 * under way, this tells lost, doubled and swapped messages apart.
 *
 * Checked:  the receiver delivers every message once, in order; no deadlock.
 * Expected: holds.
 *
 * Try next: -DNO_BIT makes the receiver deliver whatever comes: when an
 *           acknowledgement is lost, a message is delivered twice.
 *           -DIMPATIENT lets the sender repeat at any time, not only when
 *           everything else stands still (`timeout`): it holds, with more states.
 */

#define K 4

mtype = { data, ack };

chan sent      = [1] of { mtype, byte, bit };
chan arrived   = [1] of { mtype, byte, bit };
chan answered  = [1] of { mtype, bit };
chan confirmed = [1] of { mtype, bit };

active proctype sender()
{
    byte payload;
    bit  mine, theirs;

    do
    ::  sent!data(payload, mine);

wait:   if
        ::  confirmed?ack(theirs) ->
            if
            ::  theirs == mine ->
                mine = 1 - mine;
                payload = (payload + 1) % K
            ::  else -> goto wait           /* an echo of an earlier message */
            fi
#ifdef IMPATIENT
        ::  skip                            /* repeat the message */
#else
        ::  timeout                         /* repeat the message */
#endif
        fi
    od
}

active proctype receiver()
{
    byte payload, next;
    bit  theirs, expected;

    do
    ::  arrived?data(payload, theirs);
        if
#ifdef NO_BIT
        ::  true ->
#else
        ::  theirs != expected              /* a copy: confirm it again, no more */
        ::  theirs == expected ->
#endif
            assert(payload == next);
            next = (next + 1) % K;
            expected = 1 - expected
        fi;
        answered!ack(theirs)
    od
}

active proctype data_wire()
{
    byte payload;
    bit  tag;

    do
    ::  sent?data(payload, tag);
        if
        ::  arrived!data(payload, tag)
        ::  skip                            /* lost */
        fi
    od
}

active proctype ack_wire()
{
    bit tag;

    do
    ::  answered?ack(tag);
        if
        ::  confirmed!ack(tag)
        ::  skip                            /* lost */
        fi
    od
}
