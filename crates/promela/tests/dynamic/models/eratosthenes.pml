/* The sieve of Eratosthenes: each process keeps the first number that it gets, which is prime, and passes on what
 * that number does not divide to a process that it starts itself. */
#ifndef MAX
#define MAX 30
#endif

mtype = { number, end };

proctype sieve(chan left; int prime) {
    chan right = [2] of { mtype, int };
    bool has_next;
    int n;
    do
    :: left?number,n ->
        if
        :: n % prime == 0
        :: n % prime != 0 && !has_next -> has_next = true; run sieve(right, n)
        :: n % prime != 0 && has_next -> right!number,n
        fi
    :: left?end,_ ->
        if
        :: has_next -> right!end,0
        :: else
        fi;
        break
    od
}

init {
    chan first = [2] of { mtype, int };
    int i = 3;
    run sieve(first, 2);
    do
    :: i < MAX -> first!number,i; i++
    :: else -> break
    od;
    first!end,0
}
