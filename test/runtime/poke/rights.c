// Text is writable during a batch and at no other time; a segment that was linked writable still
// is afterwards.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -k 1024 -- %t r-x
// RUN: %traced_cc -O1 %s -o %t -static %static -Wl,--omagic
// RUN: %trace_linked -p '' -k 1024 -- %t rwx
#include <string.h>
#include "poke.h"
#include <ftrace.h>

static char seen[5][8];
UNTRACED static const char *rights_of(const void *address) {
  static char rights[8];
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) {
    unsigned long start, end;
    char now[8];
    if (sscanf(line, "%lx-%lx %7s", &start, &end, now) == 3 && (unsigned long)address >= start &&
        (unsigned long)address < end)
      strcpy(rights, now);
  }
  fclose(maps);
  return rights;
}
UNTRACED static void stop(int step) {
  if (step != kPokeUndoing)
    strcpy(seen[step], rights_of((const void *)sites_begin[0]));
}

UNTRACED int main(int count, char **arguments) {
  static const char *const kNames[] = {"function", "function_graph", "nop"};
  const char *wanted = arguments[count - 1];
  start_runners(2);
  nophook_poke_stop = stop;
  EXPECT(strncmp(rights_of((const void *)sites_begin[0]), wanted, 3) == 0);
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(tracing_set_tracer(kNames[i]), 0);
    for (int step = 0; step < kPokeUndoing; step++)
      EXPECT(strcmp(seen[step], "rwxp") == 0);
    for (SiteFunction *const *site = sites_begin; site < sites_end; site++)
      EXPECT(strncmp(rights_of((const void *)*site), wanted, 3) == 0);
  }
  stop_runners();
  return failures != 0;
}
