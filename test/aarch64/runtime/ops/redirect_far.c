// A function is redirected to code that no branch of its site reaches, 128 MiB away and a step beyond: a stub leads there.
// RUN: %traced_cc -O1 %s -o %t %linked && %trace_linked -p '' -- %t
#include "ops.h"

#include <string.h>
#include <sys/mman.h>
#define ADDRESS(f) ((unsigned long)(f))

NOINLINE int near_one(int n) { KEEP(&n); return n + 1; }

// `add w0, w0, #100; ret` at exactly that address.
UNTRACED static int has_code_at(unsigned long address) {
  static const unsigned code[] = {0x11019000, 0xd65f03c0};
  char *page = (char *)(address & -4096ul);
  if (mmap(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != page)
    return 0;
  memcpy((void *)address, code, sizeof code);
  __builtin___clear_cache((char *)address, (char *)address + sizeof code);
  return 1;
}

UNTRACED int main(void) {
  const long far = 1l << 27; // from the site, which is the first instruction
  const long distances[] = {far - 4, far, far + 4, -far, -far - 4, far * 16, -far * 16, 1l << 40};
  int tried = 0;
  for (unsigned i = 0; i < sizeof distances / sizeof *distances; i++) {
    const unsigned long there = ADDRESS(near_one) + (unsigned long)distances[i];
    if (!has_code_at(there))
      continue; // something else is there
    tried++;
    EXPECT_EQ(register_ftrace_redirect(ADDRESS(near_one), there), 0);
    EXPECT_EQ(near_one(1), 101);
    EXPECT_EQ(unregister_ftrace_redirect(ADDRESS(near_one)), 0);
    EXPECT_EQ(near_one(1), 2);
    munmap((void *)(there & -4096ul), 8192);
  }
  EXPECT(tried >= 5);
  return failures != 0;
}
