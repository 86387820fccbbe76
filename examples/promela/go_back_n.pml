/*
 * Go-back-N: a sliding window over a network that loses messages.
 *
 * The sender may be up to WINDOW messages ahead of the last acknowledgement. The
 * receiver takes messages in order only and acknowledges the next one it waits
 * for, so that one acknowledgement stands for all before it. When nothing moves
 * any more, the sender goes back and repeats the whole window.
 *
 * Messages carry a sequence number modulo MODULUS, as in a real header. The
 * number of the message itself (`body`) travels along for the assertion only.
 *
 * Checked:  every message is delivered once and in order; at the end all are.
 * Expected: holds, since WINDOW < MODULUS.
 *
 * Try next: -DMODULUS=2 with the window of 2: when both acknowledgements are lost,
 *           the receiver takes the repeated messages for new ones, and the
 *           assertion fails. -DTOTAL=8 or -DWINDOW=3 -DMODULUS=4 for more states.
 */

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS 3
#endif
#ifndef TOTAL
#define TOTAL 5
#endif

chan forward  = [WINDOW] of { byte, byte };     /* sequence number, body */
chan backward = [WINDOW] of { byte };           /* sequence number waited for */

byte delivered;

active proctype sender()
{
    byte base;          /* the oldest message without an acknowledgement */
    byte next;          /* the next message to send */
    byte seq;

    do
    ::  next < TOTAL && next < base + WINDOW && nfull(forward) ->
        forward!(next % MODULUS), next;
        next++

    ::  backward?seq ->
        /* Move the window up to the message that the receiver waits for. */
        do
        ::  base < next && base % MODULUS != seq -> base++
        ::  else -> break
        od;
        if
        ::  base == TOTAL -> break
        ::  else
        fi

    ::  timeout ->
        next = base                             /* go back */
    od;

    assert(delivered == TOTAL)
}

active proctype receiver()
{
    byte expected, seq, body;

    /* The receiver cannot know that the last acknowledgement has arrived. */
end:
    do
    ::  forward?seq, body ->
        if
        ::  seq == expected % MODULUS ->
            assert(body == expected);
            expected++;
            delivered++
        ::  else                                /* out of order: drop it */
        fi;
        if
        ::  backward!(expected % MODULUS)
        ::  skip                                /* the acknowledgement is lost */
        fi

    ::  forward?_, _                            /* the message is lost */
    od
}
