// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of several processes, as if they were those of one kernel.
//
// Readers of the kernel's events have one list of symbols and one address space. Our events are
// of several processes, whose programs may lie at the same addresses. So a function keeps its
// address if no other process has one there. Otherwise the whole function is moved up, to addresses
// that no process uses.

#pragma once

#include "read/symbols/functions.h"

#include <map>
#include <string>
#include <unordered_map>

namespace nophook {

class KernelSymbols {
public:
  // `functions` must live as long.
  explicit KernelSymbols(Functions &functions) : functions_(functions) {}

  // The place of a function's site, and of a return address.
  uint64_t of_function(uint32_t process, uint32_t id);
  uint64_t of_caller(uint32_t process, uint64_t return_address);

  // What was asked for so far, as /proc/kallsyms has it. Blanks in names are underscores: a name
  // is one word there.
  std::string text() const;

private:
  struct Name {
    uint64_t end;
    const std::string *name;
  };

  uint64_t place(uint32_t process, uint64_t address, const std::string &name);

  Functions &functions_;
  std::map<uint64_t, Name> names_; // by the function's first address; they do not overlap
  std::unordered_map<uint64_t, uint64_t> functions_seen_;          // by process and id
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> callers_seen_; // by process and address
};

// Where the kernel's own function for marks would be, which the texts of marks begin with.
constexpr uint64_t kMarkWriterAddress = 0xffffffff80000000;
std::string mark_writer_symbol(); // its line

} // namespace nophook
