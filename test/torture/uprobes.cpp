// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uprobes of the kernel's that come and go behind a site, as `nophook export --uprobes` places
// them, while the site changes and others call the function: both the kernel and the runtime write
// to one page of text. A probe on the site itself is left out: when it goes, the kernel may leave
// half of our call behind (docs/limits.md).

#include "torture.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <cstdio>
#include <cstring>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr const char *kType = "/sys/bus/event_source/devices/uprobe/type";

// Where the body of leaf() is in the program's file.
int find_body(dl_phdr_info *info, size_t, void *offset) {
  const unsigned long at = leaf_site + kSiteBytes - info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type == PT_LOAD && at - p.p_vaddr < p.p_filesz)
      *static_cast<uint64_t *>(offset) = at - p.p_vaddr + p.p_offset;
  }
  return 1; // the program comes first
}

unsigned read_type() {
  unsigned type = 0;
  if (FILE *file = std::fopen(kType, "re")) {
    if (std::fscanf(file, "%u", &type) != 1)
      type = 0;
    std::fclose(file);
  }
  return type;
}

// Counts in the calling thread; -1: it may not.
int open_probe() {
  static const unsigned type = read_type();
  uint64_t offset = 0;
  dl_iterate_phdr(find_body, &offset);
  perf_event_attr attr = {};
  attr.type = type;
  attr.size = sizeof attr;
  attr.config1 = reinterpret_cast<uint64_t>("/proc/self/exe");
  attr.config2 = offset;
  return type ? (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) : -1;
}

} // namespace

void torture_uprobe(std::mt19937_64 &random) {
  int probe = open_probe();
  if (probe < 0) {
    usleep(100000);
    return;
  }
  const long calls = 1 + (long)(random() % 5), before = bodies;
  for (long i = 0; i < calls; i++)
    expected(i + 1, leaf(i), "leaf under a uprobe");
  uint64_t hits = 0;
  if (read(probe, &hits, sizeof hits) != sizeof hits)
    fail("a uprobe cannot be read");
  // The kernel sets none in text that is writable, as ours is for the length of a batch.
  if (hits)
    expected(bodies - before, (long)hits, "hits of a uprobe"); // callbacks call it as well
  close(probe);
  total_uprobes += hits != 0;
  usleep(random() % 20000); // a hit may take 15 us, and others call it as well
}
