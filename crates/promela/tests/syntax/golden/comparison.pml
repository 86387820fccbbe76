/* `=` where `==` is meant. */
int n, m;
active proctype P() {
    do
    :: (n = 1) -> m++
    :: n + 1 = m -> break
    :: else -> assert(n = 2)
    od
}
