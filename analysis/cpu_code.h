// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The properties of a CPU that the reading of code and debug info needs beside its facts
// (machine/machine.h). Each folder of machine/ has them as `kCode`; docs/porting.md explains each
// name.

#pragma once

#include "analysis/assignment.h"
#include "machine/machine.h"

#include "nophook/prototype.h"

#include <memory>

namespace nophook::analysis {

class CodeReader;

// Rust's own convention, as far as CPUs differ in it (analysis/rust_assignment.h).
struct RustConvention {
  llvm::ArrayRef<uint8_t> arguments; // general registers, DWARF's numbers
  bool pairs_begin_even;             // whether an integer of two registers begins at an even one
  bool returns_address;              // whether a function returns the address of a result in memory
  bool proves_places; // whether debug info is enough to prove a place (analysis/rust_places.h)
};

struct CpuCode {
  const Machine &machine;
  CodeReader *(*reader)(); // the reader of this thread; null if LLVM lacks the CPU
  std::unique_ptr<Assignment> (*assignment)(); // for one function of C or C++
  RustConvention rust;
  nophook_kind long_double;
};

const CpuCode &cpu_code(const Machine &machine);

} // namespace nophook::analysis
