// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the code ranges of versions, and of the thunks and trampolines that lead to them.

#include "livepatch/left_code.h"

#include "arch/callback_path.h"
#include "arch/fast_path.h"
#include "arch/livepatch_path.h"

namespace nophook {
namespace {

uint64_t address(void (*code)()) {
  return reinterpret_cast<uint64_t>(code);
}

// A thread on its way through a tracer's code into a version shows no word in it yet, for as long
// as its program counter is in a thunk, or in a trampoline's first instructions. Words of no other
// kind come from there, so all thunks count.
bool add_ways_in(CodeRanges &ranges) {
  for (const Module *m = first_module(); m; m = m->next)
    for (uint64_t thunks : m->thunks)
      if (thunks && m->loaded &&
          !ranges.add({thunks, thunks + m->records.count() * Arch::kThunkBytes - 1}))
        return false;
  void (*const kCallers[])() = {nophook_graph_caller,   nophook_graph_copy_caller,
                                nophook_profile_caller, nophook_profile_copy_caller,
                                ftrace_exit_caller,     nophook_between};
  for (auto *caller : kCallers)
    if (!ranges.add({address(caller), address(caller) + kBodyWindowBytes - 1}))
      return false;
  return true;
}

} // namespace

bool add_version(const Version *version, CodeRanges &ranges) {
  bool works = ranges.add(version->body);
  for (uint32_t i = 0; i < version->piece_count; i++)
    works = works && ranges.add(version->pieces[i]);
  return works;
}

bool has_code(const Version *version, uint64_t word) {
  const auto is_in = [=](const CodeRange &range) {
    return word >= range.start && word <= range.end;
  };
  bool has = is_in(version->body);
  const CodeRange *pieces_end = version->pieces + version->piece_count;
  for (const CodeRange *piece = version->pieces; piece < pieces_end; piece++)
    has = has || is_in(*piece);
  return has;
}

bool add_ways_to_versions(CodeRanges &ranges) {
  return ranges.add({address(nophook_klp_caller),
                     reinterpret_cast<uint64_t>(nophook_klp_caller_end) - 1}) &&
         add_ways_in(ranges);
}

} // namespace nophook
