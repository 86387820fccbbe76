/* The preprocessor's errors. */
#define TWO(a, b) a + b
#define TWO(a, b) a - b
#include "absent.h"
#if 1 +
#endif
#foo
#else
byte x = TWO(1);
byte y = TWO(1, 2
