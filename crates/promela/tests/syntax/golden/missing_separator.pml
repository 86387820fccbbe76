/* Two statements on one line need a separator; the next errors are found all the same. */
byte x;
active proctype P() {
    x = 1 x = 2;
    x = (x
        + 1);
    x = x
        + 1;
    if
    :: x = 3 goto done
    :: else
    fi;
done:
}
