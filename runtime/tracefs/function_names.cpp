// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the names of a module's symbols in one block of text.

#include "tracefs/function_names.h"

#include "sites/symbols.h"

#include <errno.h>

namespace nophook {

bool FunctionNames::keep(uint32_t index, const char *name) {
  uint64_t bytes = text_length(name) + 1, begin = names_.size();
  if (begin + bytes > UINT32_MAX)
    return false;
  for (uint64_t i = 0; i < bytes; i++)
    if (!names_.push(name[i]))
      return false;
  at_[index] = (uint32_t)begin + 1;
  return true;
}

void FunctionNames::take(void *self, const char *name, uint64_t address, uint64_t bytes) {
  auto &names = *static_cast<FunctionNames *>(self);
  uint32_t index;
  if (names.is_short_ || !find_record(names.module_, address, bytes, &index) || names.at_[index] ||
      (names.wanted_ && !hash_has(names.wanted_, names.module_->first_id + index)))
    return;
  names.is_short_ = !names.keep(index, name);
}

Status FunctionNames::read(const Module *module, const FtraceHash *wanted) {
  module_ = module;
  wanted_ = wanted;
  names_.clear();
  at_.clear();
  is_short_ = !at_.reserve(module->records.count());
  for (uint32_t i = 0; !is_short_ && i < module->records.count(); i++)
    at_.append(0);
  if (!is_short_) {
    Status status = visit_symbols(module, take, this);
    (void)status; // without symbols the functions have no names
  }
  return is_short_ ? failure(ENOMEM, "no memory for the names of functions") : Status{};
}

} // namespace nophook
