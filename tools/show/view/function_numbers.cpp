// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A map from a function's identity to its number; a new function gets the next one.

#include "show/view/function_numbers.h"

namespace nophook {

uint32_t FunctionNumbers::number(uint32_t process, uint32_t id) {
  std::lock_guard guard(lock_);
  auto [at, is_new] = by_key_.try_emplace(key_of_(process, id), (uint32_t)all_.size());
  if (is_new)
    all_.push_back({process, id});
  return at->second;
}

std::vector<FunctionNumbers::Function> FunctionNumbers::all() const {
  std::lock_guard guard(lock_);
  return all_;
}

void FunctionNumbers::restore(const std::vector<Function> &all) {
  std::lock_guard guard(lock_);
  all_ = all;
  by_key_.clear();
  for (uint32_t i = 0; i < all_.size(); i++)
    by_key_.try_emplace(key_of_(all_[i].process, all_[i].id), i);
}

} // namespace nophook
