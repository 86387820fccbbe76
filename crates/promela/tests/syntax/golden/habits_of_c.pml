/* What people write who come from C. */
int i;
active proctype P() {
    while (i < 3) { i++ }
    i += 2;
    if (i > 2) { skip };
    for (i = 0; i < 3; i++) { skip };
    if
    :: i == 1 -> skip
    else if :: i == 2 -> skip fi
    fi;
    i = i > 2 ? 1 : 0;
    char c;
    return 0;
    switch (i) { skip }
}
