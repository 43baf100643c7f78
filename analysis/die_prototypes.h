// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// struct nophook_prototype (include/nophook/prototype.h) of a function, from its debug info.
//
// Debug info has names and types; the places of the values follow from the calling convention.
// Places in debug info (a debugger finds a value there) are not those in which a caller passes
// values.

#pragma once

#include "analysis/cpu_code.h"
#include "analysis/die_type.h"
#include "analysis/locations.h"
#include "analysis/signatures.h"

#include "prototypes/source_types.h"

namespace nophook::analysis {

// Whether debug info has the parameters of the function: C can declare one without.
bool has_parameters(const Signature &signature);

// The way in which a function's values are found.
enum class Places : uint8_t {
  kUnknown,
  kConvention,      // by its language's convention: it has its source's signature
  kEntry,           // changed signature: by debug info's places at its entry
  kEntryWithResult, // the same, but for the result
};

class Prototypes {
public:
  explicit Prototypes(const Object &object)
      : code_(cpu_code(object.machine())), locations_(object), types_(table_, code_.long_double) {}
  Prototypes(const Prototypes &) = delete;

  // Adds a function's prototype, and returns the low half of its id for the descriptor. `flags` are
  // of enum nophook_prototype_flags. `is_local`: the symbol is local; Rust's optimizer changes such
  // functions.
  uint32_t add(const Signature &signature, uint32_t flags, Places places, bool is_local);

  // Adds a function that is only declared. `call` and `flags` are those of struct nophook_import;
  // `signature` is that of its declaration, or null.
  void add_import(llvm::StringRef name, uint32_t call, uint32_t flags, const Signature *signature);

  RecordTable take() { return std::move(table_); }

private:
  uint32_t add_rust(const Signature &signature, uint32_t flags, bool is_local);
  uint32_t add_assigned(const Signature &signature, uint32_t flags, Places places);

  const CpuCode &code_;
  const Locations locations_;
  RecordTable table_;
  SourceTypes<DieType> types_;
};

} // namespace nophook::analysis
