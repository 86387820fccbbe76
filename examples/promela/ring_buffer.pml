/*
 * An index one too far: a run-time error.
 *
 * A writer and a reader share a ring buffer with room for SIZE bytes. Both step
 * an index around the ring. The writer goes back to the start one place too late
 * and, once in a round, writes behind the end of the array. There is no assertion
 * in this model: the checker looks at every index by itself.
 *
 * Checked:  run-time errors, here the bounds of the array; no deadlock.
 * Expected: violated (run-time error: index out of bounds).
 *
 * Try next: -DREPAIRED goes back in time, and the model holds.
 */

#ifndef SIZE
#define SIZE 3
#endif

byte ring[SIZE];
byte filled;            /* how many bytes wait to be read */

#ifdef REPAIRED
#define LAST (SIZE - 1)
#else
#define LAST SIZE
#endif

active proctype writer()
{
    byte at, value = 1;

    do
    ::  filled < SIZE ->
        ring[at] = value;
        filled++;
        value = 3 - value;
        at = (at >= LAST -> 0 : at + 1)
    od
}

active proctype reader()
{
    byte at, value;

    do
    ::  filled > 0 ->
        value = ring[at];
        filled--;
        at = (at + 1) % SIZE
    od
}
