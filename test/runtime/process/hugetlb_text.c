// Text that was moved to pages of hugetlbfs is changed like any other, while threads run in it; each such page is opened and closed whole.
// REQUIRES: hugetlbfs
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
static char rights[5];
static long page_kib;
UNTRACED static void look(void) {
  char line[512];
  int is_ours = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, smaps)) {
    unsigned long start, end, site = (unsigned long)sites_begin[0];
    char now[5];
    if (sscanf(line, "%lx-%lx %4s", &start, &end, now) == 3) {
      is_ours = site >= start && site < end;
      if (is_ours)
        strcpy(rights, now);
    } else if (is_ours && strncmp(line, "KernelPageSize:", 15) == 0) {
      page_kib = atol(line + 15);
    }
  }
  fclose(smaps);
}
UNTRACED static void move_sites(void) {
  char *text = (char *)((uintptr_t)sites_begin[0] & ~(uintptr_t)(kHuge - 1));
  char *copy = (char *)malloc(kHuge);
  memcpy(copy, text, kHuge);
  EXPECT(mmap(text, kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB, -1, 0) == text);
  memcpy(text, copy, kHuge);
  EXPECT_EQ(mprotect(text, kHuge, PROT_READ | PROT_EXEC), 0);
  free(copy);
}
static int opened, batches;
UNTRACED static void at_step(int step) {
  look();
  batches += step == kPokeHeads;
  opened += step == kPokeHeads && strcmp(rights, "rwxp") == 0;
}

UNTRACED int main(void) {
  move_sites();
  nophook_poke_stop = at_step;
  start_runners(2);
  for (int i = 0; i < 5; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT(text_differing() >= 3 * (sites_end - sites_begin));
    wait_for_runners();
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    wait_for_runners();
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(text_differing(), 0);
    look();
    EXPECT_EQ(strcmp(rights, "r-xp"), 0);
    EXPECT_EQ(page_kib, kHuge / 1024);
  }
  EXPECT(batches >= 15 && opened == batches);
  stop_runners();
  return failures != 0;
}
