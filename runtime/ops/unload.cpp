// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader holds its lock around all of this: a callback that loads libraries waits for it, and
// we for that callback. include/ftrace.h says that a callback takes no lock of the program's.

#include "ops/unload.h"

#include "base/lock.h"
#include "base/log.h"
#include "calls/calls.h"
#include "ops/adopt.h"
#include "ops/fprobe.h"
#include "ops/ops.h"
#include "ops/thread.h"

#include <stdlib.h>

namespace nophook {
namespace {

bool g_exits = false;

void on_exit() {
  g_exits = true;
}

template <class Pointer> bool is_in(const Module *module, Pointer pointer) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  return address >= module->start && address < module->end;
}

// Whether the ops cannot be called, or looked at, when the module is gone.
bool goes_with(const nophook_ops *state, const Module *module) {
  const ftrace_ops *ops = state->ops;
  if (is_in(module, ops) || is_in(module, ops->func) || is_in(module, state->direct))
    return true;
  const fprobe *probe = probe_of(ops);
  return probe && (is_in(module, probe->entry_handler) || is_in(module, probe->exit_handler));
}

// From now on no callback of the module's begins.
bool detach_callbacks(const Module *module) {
  bool any = false;
  for (nophook_ops *state = known_ops(); state; state = state->next) {
    if (!(flags_of(state->ops) & FTRACE_OPS_FL_ENABLED) || !goes_with(state, module))
      continue;
    if (fprobe *probe = probe_of(state->ops))
      silence_probe(probe);
    cut_off_ops(state->ops);
    state->goes_with = module;
    any = true;
    LogText line;
    log_line(line.add(module->path)
                 .add(" is unloaded: a registered callback that lies in it was unregistered"));
  }
  return any;
}

// None of them runs any more.
void forget_callbacks(const Module *module) {
  for (nophook_ops *state = known_ops(), *next; state; state = next) {
    next = state->next; // finishing may be the end of it
    ftrace_ops *ops = state->ops;
    if (state->goes_with == module) {
      state->goes_with = nullptr;
      finish_removal(ops);
      if (fprobe *probe = probe_of(ops))
        unbind_probe(probe);
      forget_unused_ops(ops);
    }
    if (is_in(module, ops) && ops->state == state)
      forget_ops(ops);
  }
}

} // namespace

bool watch_exit() {
  static const bool watched = atexit(on_exit) == 0;
  return watched;
}

void unload_module(const nophook_note *note) {
  bool any_callback = false, can_leave = false;
  Module *module = nullptr;
  {
    RuntimeLock lock;
    module = find_module(note);
    if (!module)
      return;
    can_leave = module->can_leave && !g_exits;
    any_callback = can_leave && detach_callbacks(module);
    release_module(module);
    forget_calls(module);
    forget_module(module);
  }
  // A thread that is in a callback may be in one of the module's, or of a function of it.
  Status waited = can_leave ? wait_for_callbacks() : Status{};
  if (any_callback && !waited.ok())
    log_line("a library is unloaded, and the kernel refuses to tell whether a callback runs in it");
  if (!can_leave)
    return;
  {
    RuntimeLock lock;
    forget_callbacks(module);
  }
  reclaim(); // the sets of functions that its coming and going have replaced
}

} // namespace nophook
