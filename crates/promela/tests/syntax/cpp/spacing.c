#define SEND(c, m, v) c!m(v)
#define RECV(c) c ? x
#define Q ?
#define N !
#define NN N
#define LOOP(i, n) for (i : 0 .. n-1)
#define ISZERO(x) (x == 0)
SEND(ch, ack, 3); SEND(ch[i] , nak , a+b);
RECV(c)Q Q?c ?Q c?Q c Q?
!N N! NN!a !NN -N
LOOP(i, 5) { skip }
LOOP (
  i,
  ISZERO(3)
) { skip } skip
#define MACRO_WITH_NL(a) \
  if \
  :: a -> skip \
  :: else \
  fi
MACRO_WITH_NL(x
  == 3); done
a MACRO_WITH_NL(y) b
0..N 0 .. N 0 ..N N..0 0..N+1 1.N
x=N+1 x=-N x=-1 N=N
[N]N{N}(N)N;N->N<N>N
#define DASH -
DASH- -DASH DASH>DASH DASHDASH DASH DASH
#define GT >
-GT >GT =GT GT= GT>
#define COLON :
:COLON COLON: COLON COLON
#define HASH #
HASH define X
#define E
:E:E->E;E=E=E&E&E|E|E!E=E<E<E+E+E-E-E.E.E1E2E a E b Ec
1E+E2 1 E+E 2
#define ID(x) x
ID(:):ID(=)=ID(&)& ID(a)b a ID(b)c ID(1)2 ID("a")"b" ID('a')'b' a"b" ID(a)"b"
ID( a ) ID( a)b ID(a )b
-ID( -1) - ID(-1) -ID(-1) ID()ID() x
ID(ID)(ID)(x) ID (x) ID
ID
(x)
ID
y
