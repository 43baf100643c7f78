// A library that is loaded and unloaded again and again while tracing: the filter that was set
// before holds for it each time, each call is recorded, and nothing is left behind.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t
// RUN: %trace -p function -l "in_*" -- %t %t.so 500 > %t.out && %show --expect %t.out %t.buf
// RUN: %trace -p function_graph -l "in_*" -- %t %t.so 500 > %t.out && %show --expect %t.out %t.buf
// RUN: %show --python 'all(b.maps.name(e.id).startswith("in_") for b in buffers for r in b.rings for e in r.events)' %t.buf
#include "program.h"
#ifdef LIBRARY
NOINLINE int in_library(int n) { return n + 1; }
NOINLINE int unwanted(int n) { return in_library(n); }
__attribute__((constructor)) static void in_constructor(void) { KEEP(0); }
__attribute__((destructor)) static void in_destructor(void) { KEEP(0); }
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
NOINLINE static void in_program(void) { KEEP(0); }
UNTRACED static int count_mappings(void) {
  char line[512];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    count++;
  fclose(maps);
  return count;
}
int main(int count, char **arguments) {
  int rounds = atoi(arguments[count - 1]), mappings = 0;
  for (int i = 0; i < rounds; i++) {
    void *library = dlopen(arguments[1], RTLD_NOW);
    int (*in_library)(int) = (int (*)(int))dlsym(library, "in_library");
    int (*unwanted)(int) = (int (*)(int))dlsym(library, "unwanted");
    EXPECT_EQ(in_library(i), i + 1);
    EXPECT_EQ(unwanted(i), i + 1);
    in_program();
    EXPECT_EQ(dlclose(library), 0);
    EXPECT(dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == NULL);
    if (i == 20)
      mappings = count_mappings();
  }
  if (count_mappings() > mappings + 10)
    fprintf(stderr, "%d mappings have become %d\n", mappings, count_mappings()), failures++;
  printf("in_program %d\nin_library %d\nin_constructor %d\n", rounds, 2 * rounds, rounds);
  return failures;
}
#endif
