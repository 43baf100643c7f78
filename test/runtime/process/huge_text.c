// Text that was moved into huge pages is changed like any other, while threads run in it.
// REQUIRES: huge-pages
// RUN: %traced_cc -O1 -DSITES_WITH_TRAPS=1 %s -o %t %static
// RUN: env NOPHOOK_POKE=store %trace_linked -p '' -k 1024 -- %t
// RUN: env NOPHOOK_POKE=trap %trace_linked -p '' -k 1024 -- %t
#include "huge_text.h"

// As programs do it that remap their text: copy, then put the copy in its place.
UNTRACED static void move_sites(void) {
  char *room = (char *)mmap(NULL, 2 * kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *copy = (char *)(((uintptr_t)room + kHuge - 1) & ~(uintptr_t)(kHuge - 1));
  EXPECT_EQ(madvise(copy, kHuge, MADV_HUGEPAGE), 0);
  memcpy(copy, page_of_sites(), kHuge);
  EXPECT_EQ(mprotect(copy, kHuge, PROT_READ | PROT_EXEC), 0);
  EXPECT(mremap(copy, kHuge, kHuge, MREMAP_MAYMOVE | MREMAP_FIXED, page_of_sites()) == page_of_sites());
}

UNTRACED int main(void) {
  char rights[5];
  move_sites();
  EXPECT_EQ(smaps_of_sites("AnonHugePages:", rights), kHuge / 1024);
  change_while_running(NULL);
  return failures != 0;
}
