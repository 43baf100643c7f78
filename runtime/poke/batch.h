// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch under way: the decisions of poke.cpp, which batch.cpp then carries out on the text.

#pragma once

#include "base/log.h"
#include "poke/poke.h"
#include "poke/text.h"

namespace nophook {

struct Batch {
  TextAccess text;
  PokeSite *sites;
  uint64_t count;
  uint64_t ways[kPokeWays] = {};
  // Number of sites from the first on that were started; the others have not been written to, nor
  // have failed ones.
  uint64_t started = 0;
  uint64_t failed = 0;   // number of sites that failed
  uint64_t gone = 0;     // number of failed sites whose text is unmapped
  bool words = false;    // each site is changed by a store of the word that it lies in
  bool traps = false;    // int3 is used
  bool refused = false;  // the kernel refused a write
  bool unsynced = false; // the kernel refused a core sync
  bool stuck = false;    // the kernel also refused the core sync of a rollback
  bool damaged = false;  // written bytes did not stay
  LogText damage;
};

// Writes each site that has not failed and reads it back; after a failure, the changes are taken
// back and reported in the members above. `alone`: no other thread runs, and this one blocks all
// signals. Else a SIGTRAP handler is in place if the batch has traps.
void change_text(Batch &batch, bool alone);

} // namespace nophook
