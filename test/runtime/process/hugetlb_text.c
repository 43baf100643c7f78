// Text that was moved to pages of hugetlbfs is changed like any other, while threads run in it; each such page is opened and closed whole.
// REQUIRES: hugetlbfs
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "huge_text.h"

UNTRACED static void move_sites(void) {
  char *text = page_of_sites(), *copy = (char *)malloc(kHuge);
  memcpy(copy, text, kHuge);
  EXPECT(mmap(text, kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB, -1, 0) == text);
  memcpy(text, copy, kHuge);
  EXPECT_EQ(mprotect(text, kHuge, PROT_READ | PROT_EXEC), 0);
  free(copy);
}
static char rights[5];
static int opened, batches;
UNTRACED static void at_step(int step) {
  smaps_of_sites("KernelPageSize:", rights);
  batches += step == kPokeHeads;
  opened += step == kPokeHeads && strcmp(rights, "rwxp") == 0;
}
UNTRACED static void expect_closed(void) {
  EXPECT_EQ(smaps_of_sites("KernelPageSize:", rights), kHuge / 1024);
  EXPECT_EQ(strcmp(rights, "r-xp"), 0);
}

UNTRACED int main(void) {
  move_sites();
  nophook_poke_stop = at_step;
  change_while_running(expect_closed);
  EXPECT(batches >= 15 && opened == batches);
  return failures != 0;
}
