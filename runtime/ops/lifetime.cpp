// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader lists objects in the order in which they came, and counts those that it has added:
// the first ones, as many as it had added when our constructor ran, are those of the start.

#include "ops/lifetime.h"

#include <link.h>

namespace nophook {
namespace {

uint64_t g_startup_objects = 1;

struct Search {
  uint64_t address;
  uint64_t object; // its number
  bool is_static;
};

int visit_object(dl_phdr_info *info, size_t, void *raw) {
  auto *search = static_cast<Search *>(raw);
  if (search->object++ >= g_startup_objects)
    return 1;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    uint64_t offset = search->address - (info->dlpi_addr + p.p_vaddr);
    search->is_static |= p.p_type == PT_LOAD && p.p_flags & PF_W && offset < p.p_memsz;
  }
  return search->is_static;
}

int visit_count(dl_phdr_info *info, size_t, void *) {
  if (info->dlpi_adds)
    g_startup_objects = info->dlpi_adds;
  return 1;
}

} // namespace

void count_startup_objects() {
  dl_iterate_phdr(visit_count, nullptr);
}

bool is_dynamic_memory(uint64_t address) {
  Search search = {address, 0, false};
  dl_iterate_phdr(visit_object, &search);
  return !search.is_static;
}

} // namespace nophook
