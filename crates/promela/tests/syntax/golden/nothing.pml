/* Empty bodies and stray words. */
active proctype P() { }
active proctype Q() { do od }
active proctype R() { if :: fi; ; skip }
fi
init() { skip }
)
