// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the loader's list, and repeats its lookup for a symbol.

#include "calls/loaded_objects.h"

#include "arch/arch.h"
#include "sites/startup.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>

namespace nophook {

int LoadedObjects::collect(dl_phdr_info *info, size_t, void *data) {
  auto &objects = *static_cast<LoadedObjects *>(data);
  LoadedObject object;
  const bool has_tables = read_object(info, &object);
  // The vDSO is in the list, and in no scope: programs find its functions otherwise.
  if (object.start == getauxval(AT_SYSINFO_EHDR) || !has_tables)
    object.symbols = 0;
  objects.is_short_ |= !objects.all_.push(object);
  return 0;
}

Status LoadedObjects::read() {
  at_start_ = startup_objects();
  dl_iterate_phdr(collect, this);
  return is_short_ ? failure(ENOMEM, "no memory for calls into libraries") : Status{};
}

const LoadedObject *LoadedObjects::around(uint64_t address) const {
  for (const LoadedObject &object : all_)
    if (object.holds(address, 1))
      return &object;
  return nullptr;
}

const LoadedObject *LoadedObjects::of(const dl_phdr_info *info) const {
  for (const LoadedObject &object : all_)
    if (object.headers == info->dlpi_phdr)
      return &object;
  return nullptr;
}

bool LoadedObjects::is_audited() const {
  const char *auditors = getauxval(AT_SECURE) ? nullptr : getenv("LD_AUDIT");
  return (auditors && *auditors) || (all_.size() && all_.begin()->has_auditor);
}

bool LoadedObjects::define(const LoadedObject &user, const char *name, const char *version,
                           uint64_t *target) const {
  const LoadedObject *owner = nullptr;
  const ElfW(Sym) *symbol = nullptr;
  for (uint64_t i = 0; i < all_.size(); i++) {
    const LoadedObject &object = all_[i];
    if (!object.symbols || (owner && i < at_start_))
      continue;
    const ElfW(Sym) *found = nullptr;
    switch (look_up(object, name, version, &found)) {
    case Lookup::kNone:
      continue;
    case Lookup::kUnknown:
      return false;
    case Lookup::kFound:
      if (i >= at_start_)
        return false;
      owner = &object;
      symbol = found;
    }
  }
  if (!owner || owner == &user)
    return false;
  *target = owner->bias + symbol->st_value;
  if (!owner->holds(*target, 1))
    return false;
  if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
    *target = Arch::choose_function(*target);
  return *target != 0;
}

} // namespace nophook
