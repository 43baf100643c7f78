// Text that was moved into huge pages is changed like any other, while threads run in it.
// REQUIRES: huge-pages
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
__asm__(".section .text.sites, \"ax\", @progbits\n .p2align 21\n .text\n");
#include "text.h"
#include "poke.h"
__asm__(".section .text.sites, \"ax\", @progbits\n .p2align 21\n .text\n");
#include <ftrace.h>
#include <stdint.h>
#include <sys/mman.h>

enum { kHuge = 2 << 20 };
static long huge_kib(void) {
  char line[512];
  long kib = 0;
  int is_ours = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, smaps)) {
    unsigned long start, end;
    if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
      is_ours = (unsigned long)sites_begin[0] >= start && (unsigned long)sites_begin[0] < end;
    else if (is_ours && strncmp(line, "AnonHugePages:", 14) == 0)
      kib += atol(line + 14);
  }
  fclose(smaps);
  return kib;
}
// As programs do it that remap their text: copy, then put the copy in its place.
UNTRACED static void move_sites(void) {
  char *text = (char *)((uintptr_t)sites_begin[0] & ~(uintptr_t)(kHuge - 1));
  char *room = (char *)mmap(NULL, 2 * kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *copy = (char *)(((uintptr_t)room + kHuge - 1) & ~(uintptr_t)(kHuge - 1));
  EXPECT_EQ(madvise(copy, kHuge, MADV_HUGEPAGE), 0);
  memcpy(copy, text, kHuge);
  EXPECT_EQ(mprotect(copy, kHuge, PROT_READ | PROT_EXEC), 0);
  EXPECT(mremap(copy, kHuge, kHuge, MREMAP_MAYMOVE | MREMAP_FIXED, text) == text);
}

UNTRACED int main(void) {
  move_sites();
  EXPECT_EQ(huge_kib(), kHuge / 1024);
  start_runners(2);
  for (int i = 0; i < 5; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT(text_differing() >= 3 * (sites_end - sites_begin));
    wait_for_runners();
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    wait_for_runners();
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(text_differing(), 0);
  }
  stop_runners();
  return failures != 0;
}
