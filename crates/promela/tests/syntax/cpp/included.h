#ifndef INCLUDED
#define INCLUDED
#include "included.h"
#define from_header in_header
#define given(x) GIVEN + x
header_line 1
#endif
