// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets of a patched function's calls.
//
//      site            jmp stub
//      stub            notrack jmp *word       in an island in the site's reach
//      word            the version that all threads run, or, while a transition lasts, the thunk
//      thunk           push $index; jmp *slot  to the trampoline, which decides for the thread
//
// The site is changed only when its function gets its first version, or is rid of its last one, and
// then the word leads behind the site. So a thread that jumps over a half-changed site runs the
// same version as the others. Every other change is one store to the word. Stub and thunk stay for
// ever: a thread may be in front of them.

#pragma once

#include "base/status.h"
#include "livepatch/live_stack.h"
#include "sites/module.h"

namespace nophook {

// A body that a function can have.
struct Version {
  static constexpr uint32_t kMostPieces = 16;
  uint64_t entry; // target of the calls
  uint64_t named; // address of its symbol: tracers follow this one
  // The body's code. A thread that has a word in it on its stack has not left it.
  CodeRange body;
  CodeRange pieces[kMostPieces];
  uint32_t piece_count;
};

// The decision data for the calls of a function. It does not change while a thread that has loaded
// it is in the trampoline.
struct Transition;
struct Plan {
  const Transition *transition; // null: no transition is under way, and both sides are the same
  uint64_t side[2];
  Plan *next; // the next one of the list of replaced plans
};

struct Dispatch {
  uint32_t id; // id of the function
  uint32_t index;
  Module *module;
  uint64_t stub, thunk;
  uint64_t *word;
  Plan *plan; // published with release, before the word that leads to it
  Version original;
  bool is_on;     // whether the site jumps to the stub
  Plan *spare[2]; // plans of reserve_plans()

  uint32_t record() const { return id - module->first_id; }
};

// The dispatch of a function, made at the first request. Errors: ENOMEM, EPERM.
Status dispatch_of(Module *module, uint32_t index, Dispatch **found);
Dispatch *dispatch_by_index(uint32_t index);

// Makes room for the two plans that a transition publishes. Errors: ENOMEM.
Status reserve_plans(Dispatch *dispatch);
// Publishes the targets of the function's calls.
void publish_plan(Dispatch *dispatch, const Transition *transition, uint64_t left,
                  uint64_t entered);
inline void publish_word(Dispatch *dispatch, uint64_t target) {
  if (target == dispatch->original.entry) // the original continues behind the site
    target += Arch::kInBodyMark;
  __atomic_store_n(dispatch->word, target, __ATOMIC_RELEASE); // pairs with the stub's load
}
// Makes replaced plans spare ones; no thread can have one of them.
void reuse_plans();

} // namespace nophook
