// Where the kernel lets no memory become executable (PR_SET_MDWE), trampolines are new memory, and
// they and the text are written through /proc/self/mem: tracing works, alone and with threads,
// and no memory is ever writable and executable.
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: %trace_linked -p '' -k 1024 -- %t
#include "text.h"
#include "poke.h"
#include <ftrace.h>
#include <sys/prctl.h>
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

NOINLINE void work(void) { KEEP(0); }
UNTRACED static void stop(int step) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    EXPECT(step < 0 || !strstr(line, " rwxp "));
  fclose(maps);
}
UNTRACED static void change_all(void) {
  static const char *const kNext[] = {"function", "nop", "function_graph", "nop"};
  for (int i = 0; i < 4; i++) {
    EXPECT_EQ(tracing_set_tracer(kNext[i]), 0);
    EXPECT_EQ(*(unsigned char *)work, i == 0 ? 0xe8 : i == 2 ? 0xe9 : 0x0f);
    work();
    wait_for_runners();
  }
  EXPECT_EQ(text_differing(), 0);
}
UNTRACED int main(void) {
  if (prctl(PR_SET_MDWE, 1, 0, 0, 0) != 0)
    return 0; // Linux before 6.3
  nophook_poke_stop = stop;
  change_all();
  start_runners(2);
  change_all();
  stop_runners();
  return failures != 0;
}
