/*
 * All inputs at once: select, for, inline, macros and d_step.
 *
 * A checker does not need test cases. `select` gives a variable any value of a
 * range; from there on every possibility is followed. Here an array is filled in
 * every possible way and then sorted by insertion, so that one run of the checker
 * tests the sorting of every array of N numbers below VALUES.
 *
 * Sorting takes many steps but is nobody else's business. `d_step` makes it one
 * step with one state after it: it must be deterministic and must not block.
 *
 * Checked:  the result is in order and contains the same numbers as before.
 * Expected: holds.
 *
 * Try next: -DWRONG compares with the wrong neighbour. -DSTEPS leaves the d_step out:
 *           same verdict, many more states. -DN=6 for longer arrays.
 */

#ifndef N
#define N 4
#endif
#ifndef VALUES
#define VALUES 4
#endif

#define in_order(a, b)  ((a) <= (b))

#ifdef WRONG
#define first_place     1
#else
#define first_place     0
#endif

#ifdef STEPS
#define as_one_step
#else
#define as_one_step     d_step
#endif

byte number[N];
byte frequency[VALUES];         /* how often each value went in */

inline swap(a, b)
{
    byte t = a;
    a = b;
    b = t
}

inline insertion_sort()
{
    byte i, j;

    for (i : 1 .. N - 1) {
        j = i;
        do
        ::  j > first_place && !in_order(number[j - 1], number[j]) ->
            swap(number[j - 1], number[j]);
            j--
        ::  else -> break
        od
    }
}

init
{
    byte k, value;

    for (k in number) {
        select (value : 0 .. VALUES - 1);
        number[k] = value;
        frequency[value]++
    };

    /* SPIN does not let a loop's exit lead straight into a d_step. */
    printf("sorting\n");
    as_one_step { insertion_sort() };

    for (k : 0 .. N - 2) {
        assert(in_order(number[k], number[k + 1]))
    };
    for (k in number) {
        value = number[k];
        assert(frequency[value] > 0);
        frequency[value]--
    };
    printf("sorted, the largest number is %d\n", number[N - 1])
}
