// Whatever the table of prototypes holds, the program runs on and answers the same.
// RUN: %traced_cc -O1 %s -o %t && %t
// RUN: %python %S/Inputs/damage.py %t %damages 1 %trace -p function_graph --
// RUN: %python %S/Inputs/damage.py %t %damages 2 %trace -p function --
#include <stddef.h>
struct pair { const char *name; double value; };
struct big { struct pair pairs[3]; };
#define SEEN __attribute__((noinline))
SEEN double mixed(int a, double b, struct pair c, struct big d, const char *e, long double f) {
  __asm__ volatile("" : : "r"(e), "g"(&d) : "memory");
  return a + b + c.value + d.pairs[1].value + (double)f;
}
SEEN struct big make(const char *name) {
  __asm__ volatile("" : : "r"(name) : "memory");
  return (struct big){{{name, 1}, {name, 2}, {NULL, 3}}};
}
SEEN struct pair two(const struct pair *from) { return *from; }
int main(void) {
  struct big big = make("three");
  struct pair pair = two(&big.pairs[1]);
  return mixed(1, 2.5, pair, big, "text", 0.5L) == 8 ? 0 : 1;
}
