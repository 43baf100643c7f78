// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a thread that stands still may be made to load a library there.
//
// The loader and malloc have locks, and so has much of the C library. A thread that holds one of
// them and is made to take it again waits for itself. "It is in a system call" proves nothing: of
// 500 stops of a program that allocates all the time, 48 were in a futex of malloc's. The proof is
// the whole stack, by the rules in docs/design/attach.md about each of its frames.

#pragma once

#include "process/attach/process_files.h"
#include "process/stop/unwound_stack.h"
#include "read/symbols/symbol_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

// The facts about the process's code that the rules need.
class CodePlaces {
public:
  enum class Kind : uint8_t {
    kOther,     // the program's own
    kLibc,      // its locks are held by its own frames alone; the kernel's object belongs to it
    kLoader,    // the dynamic linker: no thread is used
    kAllocator, // a library with the program's malloc: no thread is used
  };

  // `libc`: the C library among `files`. In a static program that is the program itself. Then its
  // functions with sites are the program's own, and the others count as the C library's. Without
  // symbols, neither is known.
  CodePlaces(int32_t pid, const ProcessMap &map, const std::vector<LoadedFile> &files,
             const LoadedFile &libc);

  Kind kind_at(uint64_t address) const;
  // The name of a function of the C library, without underscores in front; empty: it is not known.
  std::string libc_function(uint64_t address) const;
  bool has_names() const { return !libc_names_.empty(); }
  // Whether the program itself has malloc, so that the frames do not show its parts.
  bool is_allocator_hidden() const { return is_allocator_hidden_; }

private:
  bool is_own_function(uint64_t address) const;

  struct Range {
    uint64_t start, end;
    Kind kind;
  };
  std::vector<Range> ranges_; // all ranges but the ones of kOther
  uint64_t libc_bias_;
  SymbolTable libc_names_;
  bool is_static_;
  std::vector<uint64_t> sites_; // sites of a static program, as addresses of the file, ascending
  bool is_allocator_hidden_ = false;
};

// Whether there is a place in this system call at which a thread may be used.
bool may_be_used_in(long call);

// Why the thread must not load a library here, as a clause about the thread; empty: it may. `call`:
// the system call that it is in; -1: none. `is_first`: it is the process's first thread.
std::string danger_of(const UnwoundStack &stack, long call, bool is_first,
                      const CodePlaces &places);

} // namespace nophook
