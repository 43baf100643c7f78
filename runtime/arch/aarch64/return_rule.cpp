// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unwind table of the file that an instruction lies in. dl_iterate_phdr() would take the
// loader's lock, under which libraries' constructors wait for the runtime's. glibc 2.35 has a
// function without a lock; elsewhere nothing is known.

#include "arch/aarch64/return_rule.h"

#include "arch/aarch64/cpu.h"

#include <dlfcn.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
extern "C" __attribute__((weak)) int _dl_find_object(void *pc, dl_find_object *result) noexcept;
#endif

namespace nophook {

static uint64_t table_header_of([[maybe_unused]] uint64_t pc) {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found;
  if (_dl_find_object && _dl_find_object(reinterpret_cast<void *>(pc), &found) == 0)
    return reinterpret_cast<uint64_t>(found.dlfo_eh_frame);
#endif
  return 0;
}

bool AArch64::stores_return_address(uint64_t pc, long (*read)(uint64_t, void *, uint64_t)) {
  const uint64_t header = table_header_of(pc - 1);
  return header && ReturnRule(read).is_stored(header, pc);
}

} // namespace nophook
