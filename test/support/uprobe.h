// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's uprobes, as perf sets them, by a counter of this process alone.
#pragma once

#include <link.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct Place {
  uint64_t address, offset;
};
__attribute__((no_instrument_function)) static inline int find_offset(struct dl_phdr_info *info, size_t size, void *raw) {
  struct Place *place = (struct Place *)raw;
  uint64_t at = place->address - info->dlpi_addr;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && at >= p->p_vaddr && at < p->p_vaddr + p->p_filesz)
      place->offset = at - p->p_vaddr + p->p_offset;
  }
  return 1; // the program comes first
}
// Opens a probe at `offset` of the file `path`. The kernel increments `semaphore`, a place in the
// file, while the probe exists; 0: none.
UNTRACED static int open_probe_at(const char *path, uint64_t offset, uint64_t semaphore) {
  struct perf_event_attr attr;
  FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
  memset(&attr, 0, sizeof attr);
  EXPECT_EQ(fscanf(file, "%u", &attr.type), 1);
  fclose(file);
  attr.size = sizeof attr;
  attr.config = semaphore << 32;
  attr.config1 = (uint64_t)path;
  attr.config2 = offset;
  int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  EXPECT(fd >= 0);
  return fd;
}
// Opens a probe at the start of a function of the program, whose file is `path`.
__attribute__((unused)) UNTRACED static int open_probe(const char *path, void (*function)(void)) {
  struct Place place = {(uint64_t)function, 0};
  dl_iterate_phdr(find_offset, &place);
  return open_probe_at(path, place.offset, 0);
}
UNTRACED static uint64_t hits_of(int probe) {
  uint64_t hits = 0;
  EXPECT(read(probe, &hits, sizeof hits) == sizeof hits);
  return hits;
}
