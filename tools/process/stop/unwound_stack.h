// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All frames of a stopped thread, by the unwind tables of its process's files, or a reason why they
// are not known.
//
// An unwinder that guesses is worse than none here: a caller that it misses may be the one that
// matters. So every frame needs an entry in the tables (libdw would go on by frame pointers), and
// the last one must be the thread's first, on the stack that the thread began with.
//
// Opening files and finding tables takes milliseconds, so it is done in advance.

#pragma once

#include "foundation/result.h"
#include "process/stop/process_map.h"
#include "process/stop/thread_registers.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nophook {

struct StackFrame {
  uint64_t pc; // return address; for the innermost frame and interrupted ones, the address itself
  uint64_t sp; // the frame's memory ends at the next frame's
};

struct UnwoundStack {
  enum class End : uint8_t {
    kThread,    // the thread began in the last frame: the stack is whole
    kNoTable,   // the last frame has no entry in an unwind table
    kTooMany,   // the stack has more frames than are read
    kElsewhere, // as kThread, but not on the thread's own stack
    kUnknown,   // memory cannot be read, or the table leads nowhere
  };
  std::vector<StackFrame> frames; // the innermost first
  End end = End::kUnknown;
  bool lacks_memory = false; // some memory could not be read
  bool has_handler = false;  // one frame is the kernel's, to which a signal handler returns

  bool is_whole() const { return end == End::kThread; }
};

// Reads the thread's memory; false: it cannot be read.
using ReadMemory = std::function<bool(uint64_t address, void *to, size_t bytes)>;

struct UnwoundProcess; // defined beside libdw

class StackUnwinder {
public:
  // Opens all code of the process. Errors: there is no process, or it may not be read.
  static Result<StackUnwinder> prepare(int32_t pid, const ProcessMap &map);
  StackUnwinder(StackUnwinder &&) noexcept;
  StackUnwinder &operator=(StackUnwinder &&) noexcept;
  ~StackUnwinder();

  // `map`: the map as it was before the stop. `is_first`: it is the process's first thread.
  UnwoundStack unwind(const ThreadRegisters &registers, const ReadMemory &read,
                      const ProcessMap &map, bool is_first);

  // Both take milliseconds, so they are not for a thread that is stopped. The function that
  // contains the address, or the address; and why a stack is not whole, as a clause.
  std::string name_of(uint64_t pc) const;
  std::string explain(const UnwoundStack &stack) const;

  // Whether the code of the process is unchanged.
  bool fits(const ProcessMap &map) const;

private:
  explicit StackUnwinder(std::unique_ptr<UnwoundProcess> process);
  std::unique_ptr<UnwoundProcess> process_;
};

} // namespace nophook
