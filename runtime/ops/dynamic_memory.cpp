// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the writable segments that stay for ever. The loader is asked once, since its lock may be
// held for ever in a child of fork: by a thread of the parent's that was loading a library.

#include "ops/dynamic_memory.h"

#include "base/eternal.h"
#include "base/memory.h"
#include "sites/startup.h"

#include <link.h>

namespace nophook {
namespace {

struct Range {
  uint64_t start;
  uint64_t end;
};
Array<Range> &static_ranges() {
  static Eternal<Array<Range>> ranges;
  return *ranges;
}

int visit_object(dl_phdr_info *info, size_t, void *raw) {
  auto *number = static_cast<uint64_t *>(raw);
  if ((*number)++ >= startup_objects())
    return 1;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + p.p_vaddr;
    // Without memory for the list, an address in the range counts as dynamic, which is always safe.
    if (p.p_type == PT_LOAD && p.p_flags & PF_W &&
        !static_ranges().push({start, start + p.p_memsz}))
      return 1;
  }
  return 0;
}

} // namespace

bool is_dynamic_memory(uint64_t address) {
  uint64_t number = 0;
  if (static_ranges().empty())
    dl_iterate_phdr(visit_object, &number);
  for (uint64_t i = 0; i < static_ranges().size(); i++)
    if (address >= static_ranges()[i].start && address < static_ranges()[i].end)
      return false;
  return true;
}

} // namespace nophook
