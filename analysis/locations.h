// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first place of a parameter in debug info, to check the place that follows from the
// convention.
//
// Debug info does not have calling conventions, and a function with gcc's ms_abi looks like any
// other. Only its parameters are in other registers. A list of places begins where a debugger finds
// the value first, which is the entry or a little behind it. That is enough to raise a doubt, but
// not to prove a place. Format: DWARF 5, 2.6.2 and 7.7.3; .debug_loc is DWARF 4, 7.7.3.

#pragma once

#include "analysis/object.h"

#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace nophook::analysis {

class Locations {
public:
  explicit Locations(const Object &object);

  // DWARF's number of the register that is the parameter's first place, if it is a register.
  std::optional<unsigned> first_register(llvm::DWARFDie parameter) const;

private:
  std::optional<uint64_t> list_offset(llvm::DWARFDie parameter,
                                      const llvm::DWARFFormValue &location) const;

  Bytes lists_, old_lists_; // .debug_loclists, .debug_loc
};

} // namespace nophook::analysis
