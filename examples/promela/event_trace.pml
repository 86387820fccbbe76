/*
 * An event trace: which messages may pass over a channel, and in which order.
 *
 * Two programs use one disk. Each opens it, writes a few blocks and closes it. The
 * `trace` at the end watches the channel `disk` and has to follow every send:
 * open, any number of writes, close, and again. A send that it has no step for
 * is an error. It watches only; it does not make anybody wait.
 *
 * Checked:  every sequence of sends to the disk is one that the trace describes.
 * Expected: holds.
 *
 * Try next: -DNO_LOCK lets the programs use the disk at the same time: the second
 *           `open` arrives before the first `close` (event trace violated).
 *           -DLATE writes a last block after the close.
 */

mtype = { open, write, close };

chan disk = [2] of { mtype, byte };     /* what, and which block */

bool locked;

inline lock()
{
#ifdef NO_LOCK
    skip
#else
    atomic { !locked -> locked = true }
#endif
}

active [2] proctype program()
{
    byte block;

    do
    ::  lock();
        disk!open(0);
        do
        ::  block < 3 -> disk!write(block); block++
        ::  break
        od;
        disk!close(0);
#ifdef LATE
        if
        ::  block > 2 -> disk!write(block)
        ::  else
        fi;
#endif
        block = 0;
        locked = false
    od
}

active proctype driver()
{
    byte block;

end:
    do
    ::  disk?open(_)
    ::  disk?write(block) -> printf("block %d\n", block); block = 0
    ::  disk?close(_)
    od
}

trace {
    do
    ::  disk!open(_);
        do
        ::  disk!write(_)
        ::  disk!close(_) -> break
        od
    od
}
