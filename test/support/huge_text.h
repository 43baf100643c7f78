// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the text with all sites to a huge page, reads the kernel's facts about it, and changes the
// sites while threads run in it.

#pragma once

__asm__(".section .text.sites, \"ax\", @progbits\n .p2align 21\n .text\n");
#include "text.h"

#include "poke.h"
__asm__(".section .text.sites, \"ax\", @progbits\n .p2align 21\n .text\n");

#include <ftrace.h>
#include <stdint.h>
#include <sys/mman.h>

enum { kHuge = 2 << 20 };

UNTRACED static char *page_of_sites(void) {
  return (char *)((uintptr_t)sites_begin[0] & ~(uintptr_t)(kHuge - 1));
}

// Reads the facts of smaps about the mapping that the sites are in: its rights, and the KiB of KEY.
UNTRACED static long smaps_of_sites(const char *key, char rights[5]) {
  char line[512], now[5];
  long kib = 0;
  int is_ours = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, smaps)) {
    unsigned long start, end, site = (unsigned long)sites_begin[0];
    if (sscanf(line, "%lx-%lx %4s", &start, &end, now) == 3) {
      is_ours = site >= start && site < end;
      if (is_ours)
        strcpy(rights, now);
    } else if (is_ours && strncmp(line, key, strlen(key)) == 0) {
      kib = atol(line + strlen(key));
    }
  }
  fclose(smaps);
  return kib;
}

// Switches sites on and off, and calls `look`, if there is one, each time when all of them are off.
UNTRACED static void change_while_running(void (*look)(void)) {
  start_runners(2);
  for (int i = 0; i < 5; i++) {
    EXPECT_EQ(tracing_set_tracer("function"), 0);
    EXPECT(text_differing() >= 3 * (sites_end - sites_begin));
    wait_for_runners();
    EXPECT_EQ(tracing_set_tracer("function_graph"), 0);
    wait_for_runners();
    EXPECT_EQ(tracing_set_tracer("nop"), 0);
    EXPECT_EQ(text_differing(), 0);
    if (look)
      look();
  }
  stop_runners();
}
