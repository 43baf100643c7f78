// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves functions whose addresses are taken.

#include "show/live/kernel_symbols.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

namespace {

// Distance of a move; programs' addresses are below it.
constexpr uint64_t kMove = uint64_t{1} << 48;

} // namespace

// The address that readers see.
uint64_t KernelSymbols::place(uint32_t process, uint64_t address, const std::string &name) {
  uint64_t start = address, bytes = 1;
  if (auto at = functions_.locate(process, address)) {
    start -= at->offset;
    bytes = std::max(at->bytes, at->offset + 1);
  }
  for (uint64_t move = 0;; move += kMove) {
    uint64_t first = start + move;
    auto after = names_.upper_bound(first);
    if (after != names_.begin()) {
      auto before = std::prev(after);
      if (before->first == first && *before->second.name == name)
        return address + move;
      if (before->second.end > first)
        continue;
    }
    if (after != names_.end() && after->first < first + bytes)
      continue;
    names_[first] = {first + bytes, &name};
    return address + move;
  }
}

uint64_t KernelSymbols::of_function(uint32_t process, uint32_t id) {
  auto [at, is_new] = functions_seen_.try_emplace(uint64_t{process} << 32 | id);
  if (is_new)
    at->second = place(process, functions_.address(process, id), functions_.name(process, id));
  return at->second;
}

uint64_t KernelSymbols::of_caller(uint32_t process, uint64_t return_address) {
  auto [at, is_new] = callers_seen_.try_emplace({process, return_address});
  if (is_new) // the call may be its function's last instruction
    at->second = place(process, return_address - 1, functions_.caller(process, return_address)) + 1;
  return at->second;
}

std::string KernelSymbols::text() const {
  std::string text;
  for (const auto &[first, symbol] : names_) {
    std::string name = *symbol.name;
    std::ranges::replace(name, ' ', '_');
    text += fmt::format("{:016x} T {}\n", first, name);
  }
  return text + mark_writer_symbol();
}

std::string mark_writer_symbol() {
  return fmt::format("{:016x} T tracing_mark_write\n", kMarkWriterAddress);
}

} // namespace nophook
