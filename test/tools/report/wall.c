// Times of day lie between those before and after the run, in text, JSON and exports, and --time takes them.
// RUN: %traced_cc -O1 %s -o %t && %python %S/Inputs/wall.py %nophook %t %t.data
#include "../../support/program.h"
NOINLINE static void work(int n) { KEEP(n); }
int main(void) {
  for (int i = 0; i < 10; i++)
    work(i);
}
