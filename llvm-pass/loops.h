// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that a thread may never leave, so that a live patch of them stays in transition.

#ifndef NOPHOOK_LLVM_PASS_LOOPS_H
#define NOPHOOK_LLVM_PASS_LOOPS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook {

// Writes the functions of the module in which a thread may stay for ever, or for long, a line each:
//
//   NAME<TAB>endless            it has a loop from which no return can be reached
//   NAME<TAB>endless<TAB>CALLEE it calls a function of this file that never returns
//   NAME<TAB>waits<TAB>CALLEE   it calls CALLEE in a loop: a system call that waits for events, or
//                               a function of this file that makes such a call
void write_loops(const llvm::Module &module, llvm::raw_ostream &out);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_LOOPS_H
