/*
 * Cache coherence: MSI with a directory.
 *
 * Caches keep copies of one line of memory. A copy is Invalid, Shared (readable)
 * or Modified (writable, and the only one). A cache asks the directory for the
 * rights it needs; the directory first recalls them from the others. A cache may
 * also drop its copy of its own accord.
 *
 * The hard case: a cache gives its modified line back (put) while the directory
 * is already recalling it for somebody else. Both messages are then under way,
 * and until one of them is answered the line is Returning: kept, but not used.
 *
 * Checked:  one writer or many readers, never both; a read returns what was
 *           written last; nobody waits for ever (no deadlock).
 * Expected: holds.
 *
 * Try next: -DCARELESS goes on using the line until the directory answers: two
 *           caches may then write at the same time. -DN=3 for three caches.
 */

#ifndef N
#define N 2
#endif
#define NONE N

mtype = { Invalid, Shared, Modified, Returning };       /* states of a copy */
mtype = { get_shared, get_modified, put };              /* cache to directory */
mtype = { grant_shared, grant_modified, recall, done }; /* directory to cache */

typedef Copy { mtype state = Invalid; bit value }

Copy copy[N];
bit  latest;                                    /* what was written last */

chan request   = [N] of { mtype, byte, bit };   /* kind, cache, data */
chan answer    = [1] of { bit };                /* to a recall */
chan inbox[N]  = [1] of { mtype, bit };

#define me           _pid       /* caches are started first: 0 to N - 1 */
#define readable(c)  (copy[c].state == Shared || copy[c].state == Modified)

/* React to a recall. Memory uses the answer only if the line was modified. */
inline give_up()
{
    atomic {
        inbox[me]?recall(_);
        answer!copy[me].value;
        copy[me].state = Invalid
    }
}

inline obtain(kind, reply, new_state)
{
    request!kind(me, 0);
    do
    ::  give_up()
    ::  atomic { inbox[me]?reply(copy[me].value) -> copy[me].state = new_state; break }
    od
}

active [N] proctype cache()
{
    byte other;

    do
    ::  copy[me].state == Invalid -> obtain(get_shared, grant_shared, Shared)
    ::  copy[me].state != Modified -> obtain(get_modified, grant_modified, Modified)

    ::  readable(me) -> assert(copy[me].value == latest)

    ::  atomic { copy[me].state == Modified ->              /* write */
            for (other : 0 .. N - 1) {
                assert(other == me || !readable(other))
            };
            other = 0;
            copy[me].value = 1 - copy[me].value;
            latest = copy[me].value
        }

    ::  copy[me].state == Shared -> copy[me].state = Invalid

    ::  copy[me].state == Modified ->                       /* give it back */
        atomic {
            request!put(me, copy[me].value);
#ifndef CARELESS
            copy[me].state = Returning
#endif
        };
        do
        ::  give_up()
        ::  atomic { inbox[me]?done(_) -> copy[me].state = Invalid; break }
        od

    ::  give_up()
    od
}

/* Bring memory up to date with the modified copy, if there is one. */
inline fetch()
{
    if
    ::  owner != NONE -> inbox[owner]!recall(0); answer?memory; owner = NONE
    ::  else
    fi
}

active proctype directory()
{
    bit  memory, value;
    byte owner = NONE, from, i;
    bool sharer[N];

end:
    do
    ::  request?get_shared(from, _) ->
        fetch();
        sharer[from] = true;
        inbox[from]!grant_shared(memory)

    ::  request?get_modified(from, _) ->
        fetch();
        for (i : 0 .. N - 1) {
            if
            ::  sharer[i] && i != from -> inbox[i]!recall(0); answer?_
            ::  else
            fi;
            sharer[i] = false
        };
        i = 0;                          /* fewer states: forget what is not needed */
        owner = from;
        inbox[from]!grant_modified(memory)

    ::  request?put(from, value) ->
        if
        ::  owner == from -> memory = value; owner = NONE
        ::  else                        /* a recall was faster: the data is old */
        fi;
        value = 0;
        inbox[from]!done(0)
    od
}
