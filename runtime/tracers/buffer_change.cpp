// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pauses the buffer, waits for callbacks, takes the readers' lock, and makes the change.

#include "tracers/buffer_change.h"

#include "arch/fast_path.h"
#include "base/bytes.h"
#include "base/lock.h"
#include "base/syscall.h"
#include "ops/thread.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {
namespace {

// A recorder keeps the lock. A reader of trace_pipe and a clearing have it for a moment only.
constexpr int kTries = 100;
constexpr uint64_t kPause[2] = {0, 10000000};

template <class Act> Status without_readers(const Buffer &buffer, Act act) {
  for (int i = 0; i < kTries; i++) {
    {
      RuntimeLock lock;
      if (!buffer_is_open(buffer))
        return act();
      ReaderLock readers(buffer);
      if (readers.is_ours())
        return act();
    }
    sys(SYS_nanosleep, kPause, nullptr);
  }
  return failure(EBUSY, "a recorder reads the buffer, and knows it as it is now");
}

// No event begins, and callbacks that had begun one are over.
template <class Act> Status while_paused(Buffer &buffer, Act act) {
  bool was_on;
  {
    RuntimeLock lock;
    was_on = buffer_switch_off(buffer);
  }
  Status status = wait_for_callbacks();
  if (status.ok())
    status = without_readers(buffer, act);
  RuntimeLock lock;
  if (was_on)
    buffer_switch_on(buffer);
  return status;
}

} // namespace

// The main tracer's fast path knows one clock. So the tracer is stopped during the change, and
// started afterwards as the new clock needs it.
Status change_clock(Buffer &buffer, const ClockName &wanted) {
  trace_array &tr = array_numbered(buffer.number);
  const Tracer *running;
  {
    RuntimeLock lock;
    if (buffer.clock.kind == stamp_of(wanted) && buffer.header)
      return {};
    if (!buffer.header)
      return set_clock(wanted.name, text_length(wanted.name));
    running = tr.tracer;
  }
  if (running && running->has_own_clock())
    return failure(EBUSY, "the profiler is on: its times are of the CPU's counter");
  NOPHOOK_TRY(without_readers(buffer, [] { return Status{}; }));
  const bool is_by_callback = !tr.is_top(); // a callback reads the clock's kind at each event
  const bool is_stopped = running && !is_by_callback && running->writes_events();
  if (is_stopped)
    NOPHOOK_TRY(set_tracer(tr, "nop"));
  Status status = while_paused(buffer, [&] {
    Status changed = buffer_change_clock(buffer, wanted);
    tr.renew_beyond_plain(); // before an event begins
    return changed;
  });
  if (is_stopped)
    NOPHOOK_TRY(set_tracer(tr, running->name));
  return status;
}

Status change_overwrite(Buffer &buffer, bool on) {
  uint32_t full = on ? NOPHOOK_FULL_OVERWRITE : NOPHOOK_FULL_DROP;
  {
    RuntimeLock lock;
    if (!buffer.header) {
      buffer_when_full(full, 0, buffer);
      return {};
    }
  }
  NOPHOOK_TRY(without_readers(buffer, [] { return Status{}; }));
  return while_paused(buffer, [&] { return buffer_change_full(buffer, full); });
}

} // namespace nophook
