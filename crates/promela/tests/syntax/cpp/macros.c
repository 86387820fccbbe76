/* Recursion, arguments, `#` and `##`, variadics, and calls over several lines. */
#include "included.h"
#define again again + 1
#define ping pong
#define pong ping
#define one(x) x
#define two(x, y) y x
#define chain(x) one(x) chain(x)
#define text(x) #x
#define text2(x) text(x)
#define join(x, y) x##y
#define join2(x, y) join(x, y)
#define open one(
#define later one
again ping pong
chain(1) chain(chain(2))
one(one)(one)(3)
open 4) later (5) later
later(6) two(7,8) two (9, 10) two(,) two(a b,)
two((1,2), [3])
text( a  b /* c */ + "d\n" '\'' ) text() text2(ping) text2(join(x, y))
join(a, b) join(a,) join(,b) join(,) join2(ping, 2) join(1, 2)join(x, y)
#define any(...) f(__VA_ARGS__)
#define some(a, ...) f(a, ##__VA_ARGS__)
#define named(a, rest...) f(a, rest)
any() any(1) any(1, 2) some(1) some(1, 2) named(1, 2, 3)
one(
  first
  second) third
one
one
(1)
two(1,
    2) rest
__LINE__ one(__LINE__) text2(__LINE__)
from_header GIVEN GONE given(3)
#undef one
one(1)
#define one 1
one(1)
a \
  b
#define long_macro(x) \
   if \
   :: x -> skip \
   fi
long_macro(a
  == b) after
