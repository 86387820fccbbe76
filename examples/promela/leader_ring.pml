/*
 * Leader election in a ring that passes messages one way.
 *
 * E. Chang and R. Roberts, "An improved algorithm for decentralized
 * extrema-finding in circular configurations of processes", Communications of
 * the ACM 22(5), 1979.
 *
 * Every node sends its number to its neighbour. A node passes higher numbers on,
 * swallows lower ones, and has won when its own number comes back. The winner
 * tells the others, once around.
 *
 * Which node has which number is left open: init deals the numbers 1 to N in
 * every possible order, so that one run of the checker covers every ring.
 *
 * Checked:  at most one leader, and it is the node with the highest number; all
 *           nodes learn the right number and end (no deadlock).
 * Expected: holds.
 *
 * Try next: -DN=5 and more, as a benchmark. -DGREEDY swallows equal numbers too:
 *           nobody ever wins, which shows as a deadlock.
 */

#ifndef N
#define N 4
#endif

mtype = { candidate, elected };

chan link[N] = [N] of { mtype, byte };
byte leaders;           /* how many nodes think that they have won */

proctype node(chan from, to; byte mine)
{
    byte number;

    to!candidate(mine);

    do
    ::  from?candidate(number) ->
        if
        ::  number > mine -> to!candidate(number)
#ifdef GREEDY
        ::  number <= mine
#else
        ::  number < mine
        ::  number == mine ->
            leaders++;
            assert(leaders == 1 && mine == N);
            to!elected(mine)
#endif
        fi
    ::  from?elected(number) ->
        assert(number == N);
        if
        ::  number != mine -> to!elected(number)
        ::  else                /* it has gone all the way round */
        fi;
        break
    od
}

init
{
    bool dealt[N + 1];
    byte i, number;

    atomic {
        for (i : 0 .. N - 1) {
            select (number : 1 .. N);
            do                  /* a number goes out only once: take the next free one */
            ::  dealt[number] -> number = number % N + 1
            ::  else -> break
            od;
            dealt[number] = true;
            run node(link[i], link[(i + 1) % N], number)
        }
    }
}
