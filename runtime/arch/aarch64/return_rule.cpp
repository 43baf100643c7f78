// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unwind table of the file that an instruction lies in. dl_iterate_phdr() would take the
// loader's lock, under which libraries' constructors wait for the runtime's. glibc 2.35 has a
// function without a lock; elsewhere nothing is known. It is looked up by its name, because a
// reference would keep the runtime from loading with an older glibc.

#include "arch/aarch64/return_rule.h"

#include "arch/aarch64/cpu.h"

#include <dlfcn.h>

#pragma weak dlsym // programs without a loader have none

namespace nophook {

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static int (*find_object)(void *pc, dl_find_object *result);

// Runs early: dlsym() takes that lock, too.
__attribute__((constructor(101))) static void look_up_find_object() {
  if (dlsym)
    find_object = reinterpret_cast<decltype(find_object)>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
}
#endif

static uint64_t table_header_of([[maybe_unused]] uint64_t pc) {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found;
  if (find_object && find_object(reinterpret_cast<void *>(pc), &found) == 0)
    return reinterpret_cast<uint64_t>(found.dlfo_eh_frame);
#endif
  return 0;
}

bool AArch64::stores_return_address(uint64_t pc, long (*read)(uint64_t, void *, uint64_t)) {
  const uint64_t header = table_header_of(pc - 1);
  return header && ReturnRule(read).is_stored(header, pc);
}

} // namespace nophook
