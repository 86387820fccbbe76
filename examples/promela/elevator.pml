/*
 * The controller of an elevator: typedefs, mtype, timeout.
 *
 * The cabin goes on in one direction as long as somebody waits there, then turns.
 * It stops at every floor with a request, opens the door and serves the request.
 * The door closes as soon as there is another request, or when nothing else can
 * happen any more (`timeout`). People press CALLS buttons, at any floor and any time,
 * except where the elevator stands with its door open.
 *
 * Checked:  the cabin never moves with an open door and never leaves the shaft;
 *           no deadlock. The label `end` allows the controller to rest, and it
 *           can rest there only when no floor waits: every request is served.
 * Expected: holds.
 *
 * Try next: -DFORGETFUL leaves the door open: the cabin moves with an open door
 *           (assertion), or somebody waits at a floor where it never closes
 *           (deadlock). -DFLOORS=6 or -DCALLS=5 for more states.
 */

#ifndef FLOORS
#define FLOORS 4
#endif
#ifndef CALLS
#define CALLS 3
#endif

mtype:direction = { up, down };
mtype:door      = { open, closed };

typedef Cabin {
    byte            floor;
    mtype:direction heading = up;
    mtype:door      door = closed;
}

Cabin cabin;
bool  called[FLOORS];
byte  waiting;                  /* how many floors have a request */

/* Is there a request ahead, strictly beyond this floor? Sets `found`. */
inline look_ahead()
{
    d_step {
        found = false;
        for (i : 0 .. FLOORS - 1) {
            found = found || (called[i] &&
                (cabin.heading == up -> i > cabin.floor : i < cabin.floor))
        };
        i = 0
    }
}

inline move()
{
    assert(cabin.door == closed);
    if
    ::  cabin.heading == up   -> cabin.floor++
    ::  cabin.heading == down -> cabin.floor--
    fi;
    assert(cabin.floor < FLOORS)        /* a byte below zero would be 255 */
}

active proctype people()
{
    byte f, n;

    for (n : 1 .. CALLS) {
        select (f : 0 .. FLOORS - 1);
        atomic {
            !called[f] && !(cabin.floor == f && cabin.door == open) ->
            called[f] = true;
            waiting++
        }
    }
}

active proctype controller()
{
    bool found;
    byte i;

end:
    do
    ::  called[cabin.floor] ->
        cabin.door = open;
        atomic { called[cabin.floor] = false; waiting-- };
        if
        ::  waiting > 0
        ::  timeout
        fi;
#ifndef FORGETFUL
        cabin.door = closed
#endif

    ::  waiting > 0 && !called[cabin.floor] ->
        look_ahead();
        if
        ::  found -> move()
        ::  !found && !called[cabin.floor] ->
            cabin.heading = (cabin.heading == up -> down : up)
        ::  else
        fi;
        found = false
    od
}
