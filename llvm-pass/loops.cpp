// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A live patch replaces a function for a thread only when the thread has left it. A main loop is
// never left, so its patch stays in transition, and the user should know that in advance. The name
// of the function shows nothing, and machine code would have to be disassembled. The optimized IR
// has the same loops and calls, and this pass is in the compiler anyway.
//
// The proof is that no path leads from a loop to a return. An exception, longjmp() and the end of
// the thread are no such paths. A long wait of a thread is guessed from the names of system calls.

#include "loops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook {
namespace {

constexpr llvm::StringLiteral kWaits[] = {
    "accept",       "accept4",        "clock_nanosleep",
    "epoll_pwait",  "epoll_pwait2",   "epoll_wait",
    "mq_receive",   "msgrcv",         "nanosleep",
    "pause",        "poll",           "ppoll",
    "pselect",      "recv",           "recvfrom",
    "recvmmsg",     "recvmsg",        "pthread_cond_timedwait",
    "select",       "sem_timedwait",  "sem_wait",
    "sigsuspend",   "sigtimedwait",   "sigwait",
    "sigwaitinfo",  "sleep",          "pthread_cond_wait",
    "usleep",       "wait",           "wait3",
    "wait4",        "waitid",         "waitpid",
    "io_getevents", "io_uring_enter", "pthread_cond_clockwait",
    "__poll_chk",   "__recv_chk",     "__recvfrom_chk",
};

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

const llvm::Function *callee_of(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

// A call at the end of a function may become a jump, which leaves the caller's frame.
bool may_be_jump(const llvm::Instruction &instruction) {
  return llvm::cast<llvm::CallBase>(instruction).isTailCall() &&
         llvm::isa_and_nonnull<llvm::ReturnInst>(instruction.getNextNode());
}

class Finder {
public:
  explicit Finder(const llvm::Module &module) : module_(module) {}

  void run(llvm::raw_ostream &out) {
    for (size_t found = ~size_t{0}; found != never_return_.size() + may_wait_.size();) {
      found = never_return_.size() + may_wait_.size();
      for (const llvm::Function &function : module_)
        if (!function.isDeclaration())
          visit(function);
    }
    for (const llvm::Function &function : module_)
      if (!function.isDeclaration())
        print(function, out);
  }

private:
  // The function that the block's last call calls, if that never returns and the caller's frame
  // stays.
  const llvm::Function *last_call_in(const llvm::BasicBlock &block) const {
    for (const llvm::Instruction &instruction : block)
      if (const llvm::Function *callee = callee_of(instruction);
          callee && never_return_.contains(callee) && !may_be_jump(instruction))
        return callee;
    return nullptr;
  }

  // The blocks from which the function may return.
  Blocks returning_blocks(const llvm::Function &function) const {
    Blocks blocks;
    llvm::SmallVector<const llvm::BasicBlock *> work;
    const auto add = [&](const llvm::BasicBlock *block) {
      if (!last_call_in(*block) && blocks.insert(block).second)
        work.push_back(block);
    };
    for (const llvm::BasicBlock &block : function)
      if (const llvm::Instruction *end = block.getTerminator();
          llvm::isa<llvm::ReturnInst>(end) || llvm::isa<llvm::ResumeInst>(end))
        add(&block);
    while (!work.empty())
      for (const llvm::BasicBlock *before : llvm::predecessors(work.pop_back_val()))
        add(before);
    return blocks;
  }

  const llvm::Function *waiting_call_in(const llvm::BasicBlock &block) const {
    for (const llvm::Instruction &instruction : block)
      if (const llvm::Function *callee = callee_of(instruction);
          callee && (llvm::is_contained(kWaits, callee->getName()) || may_wait_.contains(callee)))
        return callee;
    return nullptr;
  }

  struct Stay {
    bool is_endless = false;
    const llvm::Function *callee = nullptr; // the callee; null: a loop without one
  };

  Stay stay_of(const llvm::Function &function) const {
    const Blocks returning = returning_blocks(function);
    Stay stay;
    for (auto at = llvm::scc_begin(&function); !at.isAtEnd(); ++at) {
      const bool is_left = llvm::any_of(
          *at, [&](const llvm::BasicBlock *block) { return returning.contains(block); });
      for (const llvm::BasicBlock *block : *at)
        if (const llvm::Function *callee = last_call_in(*block))
          return {true, callee};
      if (!at.hasCycle())
        continue;
      if (!is_left)
        return {true, nullptr};
      for (const llvm::BasicBlock *block : *at)
        if (!stay.callee)
          stay.callee = waiting_call_in(*block);
    }
    return stay;
  }

  void visit(const llvm::Function &function) {
    if (stay_of(function).is_endless &&
        !returning_blocks(function).contains(&function.getEntryBlock()))
      never_return_.insert(&function);
    for (const llvm::BasicBlock &block : function)
      if (waiting_call_in(block))
        may_wait_.insert(&function);
  }

  void print(const llvm::Function &function, llvm::raw_ostream &out) const {
    const Stay stay = stay_of(function);
    if (!stay.is_endless && !stay.callee)
      return;
    out << function.getName() << '\t' << (stay.is_endless ? "endless" : "waits");
    if (stay.callee)
      out << '\t' << stay.callee->getName();
    out << '\n';
  }

  const llvm::Module &module_;
  llvm::SmallPtrSet<const llvm::Function *, 16> never_return_, may_wait_;
};

} // namespace

void write_loops(const llvm::Module &module, llvm::raw_ostream &out) {
  Finder(module).run(out);
}

} // namespace nophook
