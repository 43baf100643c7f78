// Without the plugin the macros of <ftrace.h> change no byte, and the short ones can be had away.
// RUN: %clangxx -O1 -Wall -Wextra -pedantic -Werror -I%include -c %s -o %t.o
// RUN: %clangxx -O1 -Dnotrace= -Dalwaystrace= -I%include -c %s -o %t.plain.o
// RUN: cmp %t.o %t.plain.o
// RUN: %clangxx -DNOPHOOK_NO_SHORT_NAMES -DNAMES -I%include -fsyntax-only %s
// RUN: not %clangxx -DNAMES -I%include -fsyntax-only %s
#include <ftrace.h>
#ifdef NAMES
struct { int notrace, alwaystrace; } filters;
#else
alwaystrace int one(int x) { return x * 3; }
static alwaystrace int three(int x) { return x; }
notrace inline int two(int x) { return x * 5 + three(x); }
int use(int x) { return two(x); }
#endif
