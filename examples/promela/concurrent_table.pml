/*
 * The table in which Allways itself keeps the states that it has seen (crates/store): open addressing, slots that are
 * claimed by one compare-and-swap, and a gate behind which one worker makes a larger table while the others wait.
 *
 * Every writer inserts all vectors, each in another order. A writer promises itself a slot before it inserts; if the
 * table has none left to promise, it closes the gate, waits until nobody is inside, copies what there is, and opens
 * the gate again. Inside, it looks for its vector from the slot that the hash tells; at an empty slot it writes the
 * vector into a row of its own first and then tries to publish the row's number in the slot.
 *
 * Checked: a published row is complete; of all insertions of equal vectors exactly one is answered "new"; no vector
 * is lost when the table grows, and none is there twice.
 *
 * Verdict: holds. Try -DSLOT_FIRST (the slot is published before the row is written), -DLATE_ANNOUNCEMENT (a writer looks
 * at the gate before it announces itself: Dekker's argument is gone) and -DWRITERS=3 (1,398,098 states).
 */
#ifndef WRITERS
#define WRITERS 2
#endif
#define VECTORS 2            /* the vectors are 1 .. VECTORS */
#define SMALL   2            /* slots of the first table */
#define LARGE   6            /* slots of the second */
#define HASH(vector, size)  ((vector) % (size))

byte rows[WRITERS * VECTORS + 1];   /* vectors by number; zero: not written. No number is zero. */
byte small[SMALL];           /* slots: numbers, zero while empty */
byte large[LARGE];
bool grown;                  /* which of the two is the table */
byte reserved;               /* slots promised so far */

bool closed;                 /* the gate */
bool inside[WRITERS];        /* where each writer announces itself */
bool lock;                   /* held by whoever closes the gate */

byte n_new[VECTORS + 1];     /* how often each vector was answered "new" */
byte done;

#define SIZE   (grown -> LARGE : SMALL)
#define LIMIT  (SIZE - 1)    /* one slot stays empty, to end a search */

inline enter()
{
	do
	::
#ifdef LATE_ANNOUNCEMENT
		if
		:: !closed -> inside[_pid] = true; break
		:: else
		fi;
#else
		inside[_pid] = true;
		if
		:: !closed -> break
		:: else -> inside[_pid] = false
		fi;
#endif
		!lock        /* wait until the gate is open again */
	od
}

inline leave()
{
	inside[_pid] = false
}

/* Makes the larger table, if nobody else has. The caller is outside. */
inline grow()
{
	atomic { !lock -> lock = true };
	closed = true;
	i = 0;
	do
	:: i < WRITERS -> !inside[i] -> i++
	:: else -> break
	od;
	if
	:: !grown ->
		i = 0;
		do
		:: i < SMALL ->
			d_step {
				number = small[i];
				if
				:: number != 0 ->
					slot = HASH(rows[number], LARGE);
					do
					:: large[slot] != 0 -> slot = (slot + 1) % LARGE
					:: else -> break
					od;
					large[slot] = number
				:: else
				fi;
				number = 0;
				slot = 0
			};
			i++
		:: else -> break
		od;
		grown = true
	:: else
	fi;
	i = 0;
	closed = false;
	lock = false
}

inline reserve()
{
	do
	:: credit > 0 -> break
	:: else ->
		if
		:: atomic { reserved < LIMIT -> reserved++; credit++ }
		:: atomic { !(reserved < LIMIT) -> assert(!grown) }; grow()
		fi
	od
}

/* Looks for `vector`; puts it at the empty slot where the search ends. */
inline find_or_put()
{
	slot = HASH(vector, SIZE);
	do
	::
		number = (grown -> large[slot] : small[slot]);
		if
		:: number == 0 ->
#ifndef SLOT_FIRST
			rows[mine] = vector;
#endif
			/* compare and swap */
			atomic {
				number = (grown -> large[slot] : small[slot]);
				if
				:: number == 0 && grown -> large[slot] = mine
				:: number == 0 && !grown -> small[slot] = mine
				:: else
				fi
			};
			if
			:: number == 0 ->
#ifdef SLOT_FIRST
				rows[mine] = vector;
#endif
				n_new[vector]++;
				mine++;
				credit--;
				break
			:: else
			fi
		:: else
		fi;
		assert(rows[number] != 0);
		if
		:: rows[number] == vector -> break
		:: else -> slot = (slot + 1) % SIZE
		fi
	od;
	number = 0;
	slot = 0
}

/* When all are done: every vector is there once, and was new once. */
inline check()
{
	vector = 1;
	do
	:: vector <= VECTORS ->
		assert(n_new[vector] == 1);
		number = 0;
		i = 0;
		do
		:: i < SIZE ->
			number = number + (rows[(grown -> large[i] : small[i])] == vector);
			i++
		:: else -> break
		od;
		assert(number == 1);
		vector++
	:: else -> break
	od
}

active [WRITERS] proctype writer()
{
	byte vector, turn, slot, number, i;
	byte mine = 1 + _pid * VECTORS;     /* the writer's next row */
	byte credit;                        /* slots promised and not filled */

	do
	:: turn < VECTORS ->
		vector = 1 + (turn + _pid) % VECTORS;
		reserve();
		enter();
		find_or_put();
		leave();
		turn++
	:: else -> break
	od;
	atomic {
		vector = 0;
		done++;
		if
		:: done == WRITERS -> check()
		:: else
		fi
	}
}
