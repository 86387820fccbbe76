/*
 * Rendezvous inside atomic: how control is handed over.
 *
 * Two branches of a bank move money between their accounts. The payer takes the
 * amount from its account and sends it; the payee receives it and adds it. In
 * between the money is nowhere. An auditor comes in at any time and adds up.
 *
 * When the sender in a rendezvous is inside an atomic sequence and the receiver
 * is so too, the receiver goes on without interruption, and the sender loses its
 * turn. Two atomic sequences in two processes thus make one indivisible step.
 *
 * Checked:  the auditor always finds the same sum; no account below zero.
 * Expected: holds.
 *
 * Try next: -DSPLIT takes the payee's `atomic` away: the auditor may come in after the
 *           message and before the money is in the account (assertion violated).
 *           -DBUFFERED makes the channel hold a message, with the same result.
 */

#define SUM 4

#ifdef BUFFERED
#define CAPACITY 1
#else
#define CAPACITY 0
#endif

chan wire[2] = [CAPACITY] of { byte };  /* wire[i] leads to branch i */
int  account[2];

inline pay(amount)
{
    atomic {
        account[me] >= amount ->
        account[me] = account[me] - amount;
        wire[1 - me]!amount
    }
}

inline collect()
{
#ifdef SPLIT
    wire[me]?received;
    account[me] = account[me] + received;
    received = 0
#else
    atomic {
        wire[me]?received;
        account[me] = account[me] + received;
        received = 0
    }
#endif
}

proctype payer(byte me)
{
    do
    ::  pay(1)
    ::  pay(2)
    od
}

proctype payee(byte me)
{
    byte received;

end:
    do
    ::  collect()
    od
}

proctype auditor()
{
    do
    ::  assert(account[0] + account[1] == SUM);
        assert(account[0] >= 0 && account[1] >= 0)
    od
}

init
{
    atomic {
        account[0] = SUM;
        run payer(0); run payee(0);
        run payer(1); run payee(1);
        run auditor()
    }
}
