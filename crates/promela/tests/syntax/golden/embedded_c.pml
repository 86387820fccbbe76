/* Embedded C is read past, each block with its place. */
c_decl { typedef struct { int a; } T; }
c_state "T t" "Global"
c_code { int helper(int i) { return i + '}'; } }
byte x;
active proctype P() {
    c_code { now.x = 1; /* } */ }
    c_expr { now.x == 1 } -> x = 2;
    assert(x == 2)
}
