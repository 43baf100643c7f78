// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places in a patch's library that wait for an address in the patched program.

#pragma once

#include "arch/relocated.h"
#include "livepatch/patch.h"

#include <link.h>

namespace nophook {

// A place that waits for an address. Its symbol is `.klp.sym.OBJECT.NAME,POSITION`.
struct KlpPlace {
  uint64_t address;
  uint64_t addend;
  const char *symbol; // the whole symbol
  const char *name;   // NAME, not terminated
  uint32_t name_bytes;
  uint32_t object; // index in the patch's list
  uint32_t position;
  Relocated kind;
};

// An object of this process, as the dynamic linker has loaded it.
struct LoadedObject {
  uint64_t bias, start, end; // load address minus linked address; bounds of all its segments
  const ElfW(Dyn) * dynamic; // or null
  uint64_t tls_module; // number of its thread-local block; 0: it has no thread-local variables
  uint64_t tls_block;  // address of the calling thread's block; 0: it has none yet
};

// The object that `address` lies in. False: there is none.
bool find_loaded(uint64_t address, LoadedObject *found);

// Reads the places from the relocations of the library that the patch lies in. Under the runtime's
// lock. It logs what it refuses. Errors: EINVAL (a symbol is of no object of the patch, or its
// relocation is of another kind), ENOMEM.
Status find_klp_places(const nophook_klp *core, Array<KlpPlace> *places);

} // namespace nophook
