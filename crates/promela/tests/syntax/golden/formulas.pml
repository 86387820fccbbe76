/* Formulas. */
byte x;
ltl ok { [] (x < 3 -> <> (x == 0)) }
ltl { x U }
ltl open { [] (x == 1 }
active proctype P() { (x == 0 -> x = 1) }
