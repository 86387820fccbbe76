/* An `if` without `fi`, a `do` without `od`; the second process is still read. */
bool b;
active proctype P() {
    if
    :: b -> skip
    :: else -> b = true
}
active proctype Q() {
    do
    :: b -> break
    b = false
}
active proctype R() {
    b = b + ;
}
