/* Names that are taken, or that nothing has. */
mtype = { red, green };
typedef point { int x; int y }
inline twice(a) { a = a + a }
proctype P() { skip }
active proctype Q() {
    int red;
    point point;
    int P;
    twice(1, 2);
    thrice(3);
    P(4);
    goto green;
    twice: skip;
    Q = 3;
    foo bar;
    red = 1
}
