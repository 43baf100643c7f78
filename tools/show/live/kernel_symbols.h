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
  // `functions` must live as long as this object.
  explicit KernelSymbols(Functions &functions) : functions_(functions) {}

  // The place of a function's site, and of a return address.
  uint64_t of_function(uint32_t process, uint32_t id);
  uint64_t of_caller(uint32_t process, uint64_t return_address);

  // The symbols so far, in the form of /proc/kallsyms. Blanks in names are underscores: a name is
  // one word there.
  std::string text() const;

private:
  struct Name {
    uint64_t end;
    const std::string *name;
  };

  uint64_t place(uint32_t process, uint64_t address, const std::string &name);

  Functions &functions_;
  std::map<uint64_t, Name> names_; // functions by their first address; they do not overlap
  // Addresses of functions, by process and id.
  std::unordered_map<uint64_t, uint64_t> functions_seen_;
  // Addresses of callers, by process and address.
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> callers_seen_;
};

// The address of the kernel's own function for marks, with which the texts of marks begin.
constexpr uint64_t kMarkWriterAddress = 0xffffffff80000000;
std::string mark_writer_symbol(); // the line of that symbol

} // namespace nophook
