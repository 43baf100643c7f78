// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the copy of the runtime that works: that of the first object in the loader's list that
// has one, as the dynamic linker would decide between two symbols of a name. Symbols themselves do
// not show it: a program exports none of its archive's. So each copy has an ELF note, which leads
// to the data that the others need. The program's copy wins over a preloaded one, because the
// program calls its API.

#include "init/duplicate_runtime.h"

#include "base/bytes.h"
#include "base/log.h"
#include "init/wake.h"
#include "poke/poke.h"

#include <link.h>

namespace nophook {
namespace {

const nophook_runtime_table *g_other = nullptr; // the copy that works in our place

const nophook_runtime_table *runtime_in(const char *at, uint64_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const auto *header = reinterpret_cast<const ElfW(Nhdr) *>(at);
    const char *name = at + sizeof(*header);
    const char *desc = name + round_up(header->n_namesz, 4);
    uint64_t total =
        sizeof(*header) + round_up(header->n_namesz, 4) + round_up(header->n_descsz, 4);
    if (total > bytes)
      return nullptr;
    if (header->n_type == NOPHOOK_RUNTIME_NOTE_TYPE &&
        header->n_namesz == sizeof(NOPHOOK_NOTE_NAME) && header->n_descsz == 8 &&
        equal_bytes(name, NOPHOOK_NOTE_NAME, sizeof(NOPHOOK_NOTE_NAME))) {
      int64_t distance = 0;
      copy_bytes(&distance, desc, sizeof distance);
      return reinterpret_cast<const nophook_runtime_table *>(desc + distance);
    }
    at += total;
    bytes -= total;
  }
  return nullptr;
}

int find_first(dl_phdr_info *info, size_t, void *found) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type != PT_NOTE || p.p_align > 4)
      continue;
    const auto *at = reinterpret_cast<const char *>(info->dlpi_addr + p.p_vaddr);
    if (const nophook_runtime_table *runtime = runtime_in(at, p.p_memsz)) {
      *static_cast<const nophook_runtime_table **>(found) = runtime;
      return 1;
    }
  }
  return 0;
}

} // namespace

bool is_the_runtime() {
  const nophook_runtime_table *first = nullptr;
  dl_iterate_phdr(find_first, &first);
  if (!first || first == &nophook_runtime) // null: a tool has removed our notes
    return true;
  refuse_pokes("another copy of the runtime works in this process");
  if (first->version == NOPHOOK_RUNTIME_VERSION)
    g_other = first;
  else
    log_refusal("another version of the runtime is in this process: this one stays off");
  return false;
}

bool other_registers(const nophook_note *note) {
  if (g_other)
    g_other->register_module(note);
  return g_other;
}

bool other_unregisters(const nophook_note *note) {
  if (g_other)
    g_other->unregister_module(note);
  return g_other;
}

} // namespace nophook
