// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a thread that stands still may be made to load a library there.
//
// The loader and malloc have locks, and so has much of the C library. A thread that holds one of
// them and is made to take it again waits for itself. "It is in a system call" proves nothing: of
// 500 stops of a program that allocates all the time, 48 were in a futex of malloc's. What proves
// it is the whole stack, by what the rules in docs/design/attach.md say about each of its frames.

#pragma once

#include "process/attach/process_files.h"
#include "process/stop/unwound_stack.h"
#include "read/symbols/symbol_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

// What the rules have to know about the process's code.
class CodePlaces {
public:
  enum class Kind : uint8_t {
    kOther,     // the program's own
    kLibc,      // its locks are held by its own frames alone; the kernel's object belongs to it
    kLoader,    // never
    kAllocator, // never: a library with the program's malloc
  };

  // `libc`: the one of `files` that is it. In a static program that is the program itself. Then its
  // functions with sites are the program's own, and the others count as the C library's. Without
  // symbols, neither is known.
  CodePlaces(int32_t pid, const ProcessMap &map, const std::vector<LoadedFile> &files,
             const LoadedFile &libc);

  Kind kind_at(uint64_t address) const;
  // The name of a function of the C library, without underscores in front; empty: it is not known.
  std::string libc_function(uint64_t address) const;
  bool has_names() const { return !libc_names_.empty(); }
  // The program itself has malloc, so the frames do not show what is a part of it.
  bool is_allocator_hidden() const { return is_allocator_hidden_; }

private:
  bool is_own_function(uint64_t address) const;

  struct Range {
    uint64_t start, end;
    Kind kind;
  };
  std::vector<Range> ranges_; // but those of kOther
  uint64_t libc_bias_;
  SymbolTable libc_names_;
  bool is_static_;
  std::vector<uint64_t> sites_; // of a static program, as addresses of the file, ascending
  bool is_allocator_hidden_ = false;
};

// Whether there is a place in this system call at which a thread may be used.
bool may_be_used_in(long call);

// Why the thread must not load a library here, a clause about it; empty: it may. `call`: the system
// call that it is in; -1: none. `is_first`: of the process's threads.
std::string danger_of(const UnwoundStack &stack, long call, bool is_first,
                      const CodePlaces &places);

} // namespace nophook
