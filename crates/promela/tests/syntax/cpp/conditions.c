#define A 3
#define B
#define F(x) (x+1)
#if A == 3 && defined(B) && !defined C
t1
#endif
#if F(2) == 3
t2
#elif 1
e2
#else
e2b
#endif
#if 1 ? 2 : (1/0)
t3
#endif
#if 0 && (1/0)
e3
#elif -1 > 0u
t4
#endif
#if 'a' == 97 && '\n' == 10 && '\0' == 0 && '\x41' == 'A' && '\377' < 0
t5
#endif
#if 0x10 == 16 && 010 == 8 && 10L == 10 && 0b11 == 3
t6
#endif
#if (2 || 3) != 1 || (2 && 3) != 1 || (0 || 4) != 1 || (0 && 5) != 0
e7
#endif
#if -1 >> 1 == -1 && (-1 << 1) == -2 && ~0 == -1 && !0 && 7%4==3 && -7/2==-3
t7
#endif
#if 0
# if 1
e8
# else
e8
# endif
# foo bar
'unterminated
#elif 1
t8
#else
e8
#endif
#ifdef A
# ifndef A
e9
# else
t9
#  if 0
e9
#  elif 0
e9
#  else
t10
#  endif
# endif
#endif
#if defined A && defined(A) && (defined A)
t11
#endif
#define D defined(A)
#if D
t12
#endif
#if undefinedname == 0 && true == 0
t13
#endif
#if 1 /* comment
over lines */ && 1
t14
#endif
#if 1 // foo
t15
#endif /* x */ 
#
# 
#pragma foo
#line 100
#line 200 "foo.c"
# 12 "bar.c"
__STDC__ __STDC_VERSION__
#if __STDC_VERSION__ >= 199901L
t16
#endif
#undef A
#undef A
A
#ifdef __LINE__
t17
#endif
#if (1,2)
t18
#endif
#if 1 \
 && 1
t19
#endif
#if 18446744073709551615 == -1
t20
#endif
#if 3 - 2 - 1 == 0 && 2 * 3 + 4 == 10 && (1 < 2) == 1 && 1 | 2 ^ 3 & 4
t21
#endif
