// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that runs below print_calls and stops at its breakpoints.

#pragma once

#include "read/symbols/value_bytes.h"

#include <memory>
#include <string>

namespace nophook {

[[noreturn]] void fail(const std::string &problem);

class Debugger {
public:
  virtual ~Debugger() = default;

  // Goes on at `address`. False when the program has ended; that it did so properly is checked.
  virtual bool go_on(uint64_t address) = 0;

  virtual uint64_t stopped_at() = 0;
  virtual CallRegisters registers() = 0;
  virtual bool read(uint64_t address, void *to, size_t bytes) = 0;
  virtual void set_breakpoint(uint64_t address) = 0;
  virtual void remove_breakpoint(uint64_t address) = 0;

  // At a function's entry: where it returns to, and its stack pointer then.
  struct Return {
    uint64_t address, stack;
  };
  virtual Return return_of_call() = 0;
  virtual uint64_t stack_pointer() = 0;

  uint64_t site_bytes = 0;
};

// Both have started the program, whose output goes to `truth`, and it has stopped at its start.
std::unique_ptr<Debugger> debug_by_ptrace(const char *truth, const char *path); // x86-64
std::unique_ptr<Debugger> debug_by_qemu(const char *truth, const char *path);   // AArch64

} // namespace nophook
