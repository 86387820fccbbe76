//! The models of the tests.

/// Two increments that are not atomic: the assertion fails.
pub(crate) const RACE: &str = "\
byte n;

proctype add()
{
    byte t;
    t = n;
    n = t + 1
}

init
{
    run add();
    run add();
    _nr_pr == 1;
    assert(n == 2)
}
";

/// A message through a buffer and its answer by rendezvous: nothing is wrong.
pub(crate) const TALK: &str = "\
mtype = { ask, reply };
chan req = [2] of { mtype, byte };
chan ack = [0] of { mtype, byte };

active proctype client()
{
    byte x;
    req!ask,7;
    ack?reply,x;
    printf(\"got %d\\n\", x)
}

active proctype server()
{
    byte y;
    req?ask,y;
    ack!reply,y
}
";

/// Each waits for the other.
pub(crate) const DEADLOCK: &str = "\
chan a = [0] of { byte };
chan b = [0] of { byte };
byte v = 3;

active proctype left()
{
    byte got = 5;
    a?got;
    b!1
}

active proctype right()
{
    b?_;
    a!1
}

active proctype idle()
{
end:
    a?9
}
";

/// Far more states than anyone waits for.
pub(crate) const ENDLESS: &str = "\
int x, y;

active proctype up()
{
    do
    :: x++
    :: y++
    :: x == -1 && y == -1 -> break
    od
}
";

/// Two different assertions fail, and a statement is never reached.
pub(crate) const TWO_ERRORS: &str = "\
byte x;

active proctype p()
{
    if
    :: x = 1
    :: x = 2
    fi;
    assert(x != 1);
    assert(x != 2);
    if
    :: x > 5 -> x = 9
    :: else
    fi
}
";

/// A formula and a claim beside a correct program.
pub(crate) const CLAIMS: &str = "\
byte x;

active proctype p()
{
    x = 1
}

ltl small { [] (x < 2) }
";

/// C inside Promela.
pub(crate) const EMBEDDED_C: &str = "\
active proctype p()
{
    c_code { int x; };
    skip
}
";
