// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// livepatch/looks: the code that clients look for on the stacks of threads that they stop, and
// their verdicts. Lines of the text, numbers in hexadecimal but for TID:
//
//      look NUMBER             a list of code begins
//      code START END          no frame may be there; END counts
//      way START END           likewise no word of a frame that is in here may be in that code
//      thread TID STATE        a pending thread
//
// `NUMBER TID STATE` is the verdict that this thread is outside.

#include "arch/livepatch_path.h"
#include "base/lock.h"
#include "livepatch/driver.h"
#include "livepatch/patch_load.h"
#include "livepatch/transition.h"
#include "livepatch/versions.h"
#include "tracefs/control_file.h"
#include "tracefs/look_verdict.h"

#include <errno.h>

namespace nophook {
namespace {

void add_ranges(ControlText &text, const char *kind, const CodeRanges &ranges) {
  for (const CodeRange &range : ranges)
    text.add(kind).hex(range.start).add(" ").hex(range.end).add("\n");
}

// Trampolines of the runtime keep the address of the body that they enter in their frame. It is not
// a return address, so an unwinder does not see it.
Status add_ways(ControlText &text) {
  CodeRanges own;
  if (!add_code_of_object(reinterpret_cast<uint64_t>(nophook_klp_caller), own))
    return failure(ENOMEM, "no memory for a list of code");
  own.seal();
  add_ranges(text, "way ", own);
  return {};
}

Status read_looks(FileTarget, ControlText &text) {
  ensure_driver();
  const LookVisitor visitor = {
      [](void *to, uint64_t look, const CodeRanges &code) {
        auto &lines = *static_cast<ControlText *>(to);
        lines.add("look ").hex(look).add("\n");
        add_ranges(lines, "code ", code);
      },
      [](void *to, int32_t tid, uint64_t state) {
        auto &lines = *static_cast<ControlText *>(to);
        lines.add("thread ").number((uint64_t)tid).add(" ").hex(state).add("\n");
      },
      &text};
  RuntimeLock lock;
  visit_undecided_looks(visitor);
  NOPHOOK_TRY(visit_unseen_looks(visitor));
  return text.size() ? add_ways(text) : Status{};
}

Status write_looks(FileTarget, const char *value, uint64_t bytes) {
  LookVerdict verdict;
  if (!parse_verdict(value, bytes, &verdict))
    return failure(EINVAL, "a verdict is the number of a look, a thread and its state");
  RuntimeLock lock;
  return change_over_seen(verdict.look, verdict.tid, verdict.state) ||
                 forget_seen(verdict.look, verdict.tid)
             ? Status{}
             : failure(ESTALE, "the thread has changed since it was listed, or is not waited for");
}

constexpr ControlFile kFiles[] = {
    {.path = "livepatch/looks",
     .scope = SettingScope::kTop,
     .read = read_looks,
     .write = write_looks},
};

} // namespace

ControlFiles livepatch_look_files() {
  return {kFiles, kFiles + 1};
}

} // namespace nophook
