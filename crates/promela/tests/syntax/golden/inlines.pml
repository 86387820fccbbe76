/* Errors inside an inline name the call, once. */
inline bad(v) {
    v = v +;
    skip
}
inline loop(v) { again(v) }
inline again(v) { loop(v) }
inline value(v) { return v + 1 }
active proctype P() {
    int x;
    bad(x);
    bad(x);
    loop(x);
    value(x);
    x = value(x);
    return x
}
