/*
 * Needham-Schroeder with public keys, and the attack on it.
 *
 * R. Needham and M. Schroeder, Communications of the ACM 21(12), 1978; the attack
 * and the remedy: G. Lowe, "An attack on the Needham-Schroeder public-key
 * authentication protocol", Information Processing Letters 56(3), 1995.
 *
 *      1.  Alice -> Bob:    { Na, Alice } under Bob's key
 *      2.  Bob   -> Alice:  { Na, Nb }    under Alice's key
 *      3.  Alice -> Bob:    { Nb }        under Bob's key
 *
 * The intruder Eve is the network. She takes every message, opens what is under
 * her own key, keeps what is not, and sends whatever she can make of it. She is
 * also a user with a key of her own, to whom Alice may want to talk.
 *
 * Checked:  when Bob has finished with "Alice", Alice was talking to Bob, and Eve
 *           does not know Bob's secret Nb.
 * Expected: violated (assertion). Alice talks to Eve, and Eve poses as Alice.
 *
 * Try next: -DLOWE puts Bob's name into message 2, and the protocol holds.
 */

mtype = { alice, bob, eve };                    /* users, and their keys */
mtype = { Na, Nb, Ne, none };                   /* nonces */
mtype = { msg1, msg2, msg3 };


/*
 * A message: which kind, under whose key, two nonces and a name (unused parts are
 * `none`). Alice and Bob can send to the network only, where Eve sits.
 */
chan network  = [0] of { mtype, mtype, mtype, mtype, mtype };
chan to_alice = [0] of { mtype, mtype, mtype, mtype, mtype };
chan to_bob   = [0] of { mtype, mtype, mtype, mtype, mtype };

mtype alices_partner = none;
bool  eve_knows_Na, eve_knows_Nb;

active proctype Alice()
{
    mtype nonce;

    if
    ::  alices_partner = bob
    ::  alices_partner = eve
    fi;

end:                    /* Eve may swallow messages: to wait for ever is no error */
    network!msg1(alices_partner, Na, none, alice);

    /* A receive takes only what matches its constants and eval(...) here. */
#ifdef LOWE
endwait:
    to_alice?msg2(alice, Na, nonce, eval(alices_partner));
#else
endwait:
    to_alice?msg2(alice, Na, nonce, _);
#endif

endlast:
    network!msg3(alices_partner, nonce, none, none)
}

active proctype Bob()
{
    mtype partner, nonce;

end:
    to_bob?msg1(bob, nonce, _, partner);
endsend:
    network!msg2(partner, nonce, Nb, bob);
endlast:
    to_bob?msg3(bob, Nb, _, _);

    assert(partner != alice || alices_partner == bob);
    assert(partner != alice || !eve_knows_Nb)
}

typedef Message { mtype key, first, second, name }

/* Choose a nonce that Eve knows. */
inline choose(n)
{
    if
    ::  n = Ne
    ::  eve_knows_Na -> n = Na
    ::  eve_knows_Nb -> n = Nb
    fi
}

inline learn(m)
{
    eve_knows_Na = eve_knows_Na || (m.key == eve && (m.first == Na || m.second == Na));
    eve_knows_Nb = eve_knows_Nb || (m.key == eve && (m.first == Nb || m.second == Nb))
}

active proctype Eve()
{
    Message draft, m1, m2, m3;

end:
    do
    /* Take a message. A structure stands for its fields, one after the other. */
    ::  atomic { network?msg1(m1) -> learn(m1) }
    ::  atomic { network?msg2(m2) -> learn(m2) }
    ::  atomic { network?msg3(m3) -> learn(m3) }

    /* Pass it on unchanged, perhaps later, perhaps twice. */
    ::  to_bob!msg1(m1)
    ::  to_alice!msg2(m2)
    ::  to_bob!msg3(m3)

    /* Write a message of her own from what she knows. */
    ::  atomic {
            if :: draft.key  = alice :: draft.key  = bob fi;
            if :: draft.name = alice :: draft.name = bob :: draft.name = eve fi;
            choose(draft.first);
            choose(draft.second)
        }
    ::  to_bob!msg1(draft)
    ::  to_alice!msg2(draft)
    ::  to_bob!msg3(draft)
    od
}
