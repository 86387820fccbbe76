/*
 * Producers and consumers share a bounded buffer, with semaphores.
 *
 * E. W. Dijkstra, "Cooperating sequential processes", 1965. Two semaphores count
 * the empty and the full places, a third one guards the buffer itself.
 *
 * Checked:  no place is overwritten before it is read, no place is read twice;
 *           everything that was produced is consumed; no deadlock.
 * Expected: holds.
 *
 * Try next: -DHASTY locks the buffer before it waits for a place. A producer that
 *           waits inside the lock shuts out the consumer it waits for: deadlock.
 *           -DSIZE=3 or -DITEMS=4 for more states.
 */

#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 2         /* each producer makes as many, each consumer takes as many */
#endif
#define PAIRS 2

typedef Semaphore { byte count }

Semaphore empty_places, full_places, lock;

byte buffer[SIZE];      /* 0: nothing there */
byte head, tail;
int  produced, consumed;

inline down(s)
{
    atomic { s.count > 0 -> s.count-- }
}

inline up(s)
{
    s.count++
}

proctype producer(byte item)
{
    byte i;

    for (i : 1 .. ITEMS) {
#ifdef HASTY
        down(lock);
        down(empty_places);
#else
        down(empty_places);
        down(lock);
#endif
        assert(buffer[tail] == 0);
        buffer[tail] = item;
        tail = (tail + 1) % SIZE;
        produced = produced + item;
        up(lock);
        up(full_places)
    }
}

proctype consumer()
{
    byte i;

    for (i : 1 .. ITEMS) {
        down(full_places);
        down(lock);
        assert(buffer[head] != 0);
        consumed = consumed + buffer[head];
        buffer[head] = 0;
        head = (head + 1) % SIZE;
        up(lock);
        up(empty_places)
    }
}

init
{
    byte i;

    atomic {
        empty_places.count = SIZE;
        lock.count = 1;
        for (i : 1 .. PAIRS) {
            run producer(i);
            run consumer()
        }
    };

    /* All others have ended when only this process is left. */
    _nr_pr == 1;
    assert(produced == consumed)
}
