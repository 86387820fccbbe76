/* Every construct of the language once, in many of the forms that SPIN takes. */
#define N 2
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#if N > 1 && defined(MAX)
# define SIZE (N + 1)
#else
# error N is too small
#endif

mtype = { ack nak, req };
mtype:fruit = { apple, pear, };
typedef inner { byte a[3]; bool flag; mtype kind }
typedef outer {
    inner in1[N]
    short s
    chan q
}
hidden byte trash; show int shown = -3; local byte mine;
bit b1; bool b2 = true; byte by[SIZE] = { 1, 2, 3 }
unsigned u : 5 = 3
int n = 4, k = N * (3 - 1) % 5;
pid who;
mtype m = ack; mtype:fruit f = pear;
outer o; inner rec;
chan c = [N] of { mtype, byte, int };
chan d[2] = [0] of { byte, chan };
chan e = [1] of { inner };

inline inc(x, by1) {
    x = x + by1
}
inline both(x) {
    inc(x, 1);
    inc(x, k) /* nothing between */
    if
    :: timeout
    :: select (n : 1 .. 3)
    fi
}
inline answer(x) { return x * 2 }

proctype P(byte id; chan in1, out; mtype t) priority 2 provided (n >= 0 && _pid > 0) {
    byte i, j;
    xr in1; xs out, e;
start:
    i = 0; j = (i == 0 -> 1 : 2)
    do
    :: i < 3 -> i++
    :: i >= 3 && n > 1 || k; break
    :: else goto start
    od
    atomic { in1!i, c; d[0]!i(c); c!ack(i, -1) -> skip }
    d_step { o.in1[i % N].a[1] = 3; o.s-- }
    c?ack, i, n; c?nak(_, eval(n)); c??req(i, -1); c?<ack, i, n>; c??<m, eval(i + 1), 3>;
    c!!ack, 2, 3;
    (c?[ack, i, n] && !c??[req(i, n)] || nfull(c));
    end: progress_x: accept: skip
    { byte fresh = 5; fresh = fresh + MAX(i, n) };
    for (i : 1 .. N) { skip }
    for (i in by)
    {
        by[i] = i
    }
    for (rec in e) { printf("%e\n", rec.kind) }
    select (i : 0 .. N + 1);
    select (j : 0 .. 40)
    both(n)
    n = answer(i)
    who = run Q(1) priority 3;
    (run Q(2)) -> assert(n == 'a' || n != '\n')
    nempty(c) && len(c) < 3 || full(c);
    printf("%d %c\n", n, 'x'); printm(ack); printm(m)
    set_priority(_pid, get_priority(0) + 1)
    if :: timeout -> skip :: enabled(1) :: pc_value(0) == 1 fi
    { n = 1; n = 2 } unless { c?[ack, i, n] -> n = ~n ^ 3 & 5 | 6 << 1 >> 2 };
    atomic { n = -n } unless n == !n;
last:
}
active [N] proctype Q(byte a) { skip; _ = 3 }
active D_proctype R(byte z) { z == _nr_pr -> z = _last }
init priority 1 { atomic { run P(1, d[0], d[1], ack); run Q(3) } }
never check {
    do
    :: P[1]@start && !(P[1]@last)
    :: P[1]:i == 3
    :: np_ && P@last -> break
    od
}
trace { do :: c!ack, _, _ :: if :: d[0]?1, _ -> break fi od }
ltl safe { [] (n > 0 -> <> (P@last) && X (n U k)) }
ltl { always (n >= 0 implies eventually (n < k)) }
ltl rest { (n weakuntil k) || (n release k) <-> (n V k) }
