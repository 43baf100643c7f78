// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings the text in line with the registered ops.
//
// There are two steps, as in the kernel. First the registered ops are counted at each function,
// which gives its wanted flags. Then the wanted state is compared with the present one, and one
// batch makes calls, modifies calls, makes NOPs, or leaves sites alone.

#pragma once

#include "base/status.h"
#include "ops/hash.h"
#include "sites/module.h"

namespace nophook {

// The present state of a site, in the record's state byte.
enum class Site : uint8_t {
  kOff,
  kFunction, // call of the function tracer's fast path
  kGraph,    // jump to function_graph's trampoline
  kOps,      // call of ftrace_caller
  kOpsRegs,  // call of ftrace_regs_caller
  kOpsExit,  // jump to ftrace_exit_caller
  kRedirect, // jump to another function
  kProfile,  // jump to the profiler's trampoline
  kHits,     // call of the trampoline of the tracer hits
  // The states that a site can be given end here.
  kForeign = kStateForeign >> kStateSiteShift, // bytes written by another tool
};
constexpr uint32_t kSites = (uint32_t)Site::kHits + 1;
static_assert(kSites <= (uint32_t)Site::kForeign);

inline bool jumps_to_thunk(Site site) {
  return site == Site::kGraph || site == Site::kProfile || site == Site::kOpsExit;
}

inline bool calls_back(Site site) {
  return site == Site::kOps || site == Site::kOpsRegs || site == Site::kOpsExit;
}

inline Site site_of(SiteState state) {
  return (Site)((state & kStateSite) >> kStateSiteShift);
}

// Brings the functions of `dirty` in line with the registered ops. Hold the runtime's lock. Errors:
// those of make_island and text_poke_batch; then no site has changed, and the caller restores the
// list of ops and calls this again.
Status update_sites(const FtraceHash *dirty);

// A last look at the enabled sites of a module that is about to go. Sites that hold other bytes
// than the runtime's are reported; nothing is written.
void report_lost_sites(Module *module);

// Looks for sites whose uprobe has gone: they hold NOPs, and are enabled again if they should be.
// An enabled site that a uprobe has taken is reported, once. Hold the runtime's lock. Errors: those
// of update_sites; ENOMEM.
Status restore_sites();
// The same for the next `most` sites, in turns. False: no function is traced, so there is nothing
// to look for. Takes the runtime's lock.
bool restore_next_sites(uint32_t most);

} // namespace nophook
