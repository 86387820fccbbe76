/* Characters and strings. */
active proctype P() {
    printf("no end);
    printf("one" "two");
    int x = 'ab';
    x = 3 # 4;
    x = 5 € 6;
    x = "text"
}
