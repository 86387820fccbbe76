/* Channels. */
chan c = [1] of { byte };
byte x;
active proctype P() {
    if
    :: !full(c) -> c!1
    :: empty(c) == 1 -> skip
    :: c?x && x > 1 -> skip
    :: c?[x] && nfull(c) -> c?x + 1
    fi;
    (x -> 1);
    c!!;
    c?eval(x, x);
    x = eval(x)
}
trace {
    do
    :: c!1
    :: x = 2
    od
}
