// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch under way: what poke.cpp decides about it, and what batch.cpp then does to the text.

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
  uint64_t started = 0;  // those behind have not been written to, nor have failed ones
  uint64_t failed = 0;   // of the sites
  uint64_t gone = 0;     // of these: their text is not there any more
  bool words = false;    // each site is changed by a store of the word that it lies in
  bool traps = false;    // int3 is used
  bool refused = false;  // the kernel refused a write
  bool unsynced = false; // it refused a core sync
  bool stuck = false;    // and one that was to take another back
  bool damaged = false;  // what was written did not stay
  LogText damage;
};

// Writes each site that has not failed and reads it back; what goes wrong is taken back and
// reported in the members above. `alone`: no other thread runs, and this one blocks all signals.
// Else a SIGTRAP handler is in place if the batch has traps.
void change_text(Batch &batch, bool alone);

} // namespace nophook
