// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/trigger_action.h"

#include "buffer/snapshot.h"
#include "capture/stack_trace.h"
#include "ops/own_stack.h"

namespace nophook {

bool take_one(int64_t *count) {
  int64_t left = __atomic_load_n(count, __ATOMIC_RELAXED);
  do
    if (left == 0)
      return false;
  while (left > 0 && !__atomic_compare_exchange_n(count, &left, left - 1, false, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED));
  return true;
}

void run_trigger_action(TriggerAction action, Buffer &buffer, int64_t *count, uint64_t ip,
                        const ftrace_regs *regs) {
  if (!__atomic_load_n(count, __ATOMIC_RELAXED))
    return;
  switch (action) {
  case TriggerAction::kTraceOn:
    if (buffer_switch_on(buffer))
      take_one(count);
    return;
  case TriggerAction::kTraceOff:
    if (buffer_switch_off(buffer))
      take_one(count);
    return;
  case TriggerAction::kStackTrace:
    if (take_one(count))
      write_stack_trace(buffer, ip, regs);
    return;
  case TriggerAction::kSnapshot:
  case TriggerAction::kDump:
    if (take_one(count)) // paths and descriptors take 3 KiB
      run_on_own_stack([&] { take_snapshot(buffer, action == TriggerAction::kDump); });
    return;
  }
}

} // namespace nophook
