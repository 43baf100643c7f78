// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of thunks that an enabled site leads to. A module has one island of thunks for each
// kind that it needs (poke/island.h).

#pragma once

#include <stdint.h>

namespace nophook {

// The kinds. A site calls its thunk, or jumps to it.
enum class SiteKind : uint8_t {
  kCall,    // the function tracer: a call
  kJump,    // function_graph: a jump
  kOps,     // callbacks, by ftrace_caller: a call
  kOpsRegs, // callbacks, by ftrace_regs_caller: a call
  kOpsExit, // callbacks with exits, by ftrace_exit_caller: a jump
  kProfile, // the profiler: a jump
  kHits,    // the tracer hits: a call
  // While a call of kOpsRegs becomes a jump of one of those, or the other way round: the thunk
  // serves both. There is none where the islands are not in step, and none for sites behind a
  // prologue.
  kBetweenJump,
  kBetweenProfile,
  kBetweenExit,
};
constexpr uint32_t kSiteKinds = (uint32_t)SiteKind::kBetweenExit + 1;

// The name of a kind's thunks in a perf map; null: there is no such kind.
constexpr const char *thunks_name(SiteKind kind) {
  switch (kind) {
  case SiteKind::kCall:
    return "function_thunks";
  case SiteKind::kJump:
    return "function_graph_thunks";
  case SiteKind::kOps:
    return "callback_thunks";
  case SiteKind::kOpsRegs:
    return "callback_regs_thunks";
  case SiteKind::kOpsExit:
    return "return_thunks";
  case SiteKind::kProfile:
    return "profile_thunks";
  case SiteKind::kHits:
    return "hits_thunks";
  case SiteKind::kBetweenJump:
    return "to_graph_thunks";
  case SiteKind::kBetweenProfile:
    return "to_profile_thunks";
  case SiteKind::kBetweenExit:
    return "to_return_thunks";
  }
  return nullptr;
}
// The compiler asks for a case of each kind, so a kind behind the last one is found here.
static_assert(thunks_name((SiteKind)(kSiteKinds - 1)) && !thunks_name((SiteKind)kSiteKinds));

} // namespace nophook
