// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic linker's tables of an object in memory: its symbols, their versions, and the
// relocations of its GOT.
//
// The tables come from a file, and the dynamic linker has used them already, which checks little.
// So every address is compared with the object's own range before it is read. Valid while the
// loader's list cannot change: within a visit of dl_iterate_phdr().
//
// Source: the System V gABI, chapter 5; glibc's do-lookup.h and dl-version.c.

#pragma once

#include <link.h>
#include <stdint.h>

namespace nophook {

struct LoadedObject {
  const char *path; // path of the file, as the loader names it; "" for the program
  uint64_t bias, start, end;
  const ElfW(Phdr) * headers;
  uint32_t header_count;
  uint64_t symbols, strings, string_bytes, hash, version_numbers, needed, defined;
  uint64_t needed_count, defined_count;
  uint64_t plt_relocations, plt_bytes, relocations, relocation_bytes;
  uint64_t protected_start, protected_end; // bounds of RELRO
  bool has_auditor;                        // whether it names an auditor: DT_AUDIT, DT_DEPAUDIT

  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= start && address <= end && bytes <= end - address;
  }
};

// Reads the tables of an object. False: it has no dynamic section, as a static program.
bool read_object(const dl_phdr_info *info, LoadedObject *object);

// The symbol with this number. Null: there is none, or it is damaged.
const ElfW(Sym) * symbol_at(const LoadedObject &object, uint64_t number);
const char *string_at(const LoadedObject &object, uint64_t offset);

// The version that a reference of the symbol `number` asks for: its name, or null without one.
const char *needed_version(const LoadedObject &object, uint64_t number);

// The definition of `name` that the dynamic linker would find in the object for a call.
enum class Lookup : uint8_t { kNone, kFound, kUnknown };
Lookup look_up(const LoadedObject &object, const char *name, const char *version,
               const ElfW(Sym) * *found);

} // namespace nophook
