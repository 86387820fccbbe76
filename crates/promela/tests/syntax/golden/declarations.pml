/* Declarations. */
int grid[3][4];
unsigned u;
byte w : 3;
int n = 4;
int a[n + 1];
chan c = [2] of { int, unsigned };
chan d = [1 / 0] of { byte };
proctype P(int p, int q; byte r = 1) {
    mtype = { local1 };
    here: int late;
    typedef t { int z }
}
