// An ops without filters is its owner's again when it is unregistered: its memory is not written
// to any more, not when a library comes either, and 10,000 of them leave nothing behind.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t %t.so
#include "ops.h"
#ifdef LIBRARY
NOINLINE void in_library(void) { KEEP(0); }
#else
#include <dlfcn.h>
NOINLINE void alpha(void) { KEEP(0); }
UNTRACED static int mappings(void) {
  char line[512];
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    count++;
  fclose(maps);
  return count;
}
UNTRACED static void use(struct Counted *counted, int how) {
  struct Counted fresh = COUNTED(0);
  *counted = fresh;
  if (how == 1)
    EXPECT_EQ(set_filter(&counted->ops, "nothing", 1), -EINVAL);
  else if (how == 2) {
    EXPECT_EQ(set_filter(&counted->ops, "alpha", 1), 0);
    EXPECT_EQ(set_notrace(&counted->ops, "alpha", 1), 0);
    EXPECT_EQ(ftrace_set_notrace(&counted->ops, NULL, 0, 1), 0);
  }
  if (how == 3) {
    counted->ops.flags = FTRACE_OPS_FL_IPMODIFY;
    EXPECT_EQ(register_ftrace_function(&counted->ops), -EINVAL);
    return;
  }
  EXPECT_EQ(register_ftrace_function(&counted->ops), 0);
  alpha();
  EXPECT_EQ(counted->calls, 1);
  EXPECT_EQ(ftrace_set_filter(&counted->ops, NULL, 0, 1), 0);
  EXPECT_EQ(unregister_ftrace_function(&counted->ops), 0);
}

UNTRACED int main(int count, char **arguments) {
  static struct Counted ops[4], other = COUNTED(0), wanted[4];
  EXPECT_EQ(count, 2);
  EXPECT_EQ(register_ftrace_function(&other.ops), 0);
  for (int how = 0; how < 4; how++)
    use(&ops[how], how);
  memset(ops, 0x5a, sizeof ops);
  memset(wanted, 0x5a, sizeof wanted);
  void *library = dlopen(arguments[1], RTLD_NOW);
  EXPECT_EQ(dlclose(library), 0);
  EXPECT(memcmp(ops, wanted, sizeof ops) == 0);
  for (int i = 0; i < 300; i++) // then the memory that is kept for the next one exists
    use(&ops[0], i % 4);
  int mapped = mappings();
  long before = anonymous_kib();
  for (int i = 0; i < 10000; i++)
    use(&ops[0], i % 4);
  EXPECT(mappings() <= mapped + 5);
  EXPECT(anonymous_kib() <= before + 400); // up to 64 sets wait to be given back, a page each
  return failures;
}
#endif
