// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that look at bytes of code, for the folders of all CPUs.

#pragma once

#include "machine/machine.h"

namespace nophook {

inline bool has_bytes(Machine::Bytes code, uint64_t offset, Machine::Bytes wanted) {
  return offset <= code.size() && code.drop_front(offset).take_front(wanted.size()) == wanted;
}

inline SiteForm form_of(uint64_t start, Machine::Bytes bytes, uint64_t site) {
  return {start, {bytes.begin(), bytes.end()}, site};
}

inline llvm::Error not_understood(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

} // namespace nophook
