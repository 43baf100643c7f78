// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unregisters a module's callbacks and forgets its records. The loader holds its lock around all of
// this: a callback that loads libraries waits for it, and we for that callback. include/ftrace.h
// says that a callback takes no lock of the program's.

#include "ops/unload.h"

#include "base/lock.h"
#include "base/log.h"
#include "calls/calls.h"
#include "ops/adopt.h"
#include "ops/fprobe.h"
#include "ops/ops.h"
#include "ops/thread.h"
#include "ops/update.h"

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

// Stops the module's callbacks: none begins from now on.
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

// Forgets the module's callbacks, none of which runs any more.
void forget_callbacks(const Module *module) {
  for (nophook_ops *state = known_ops(), *next; state; state = next) {
    next = state->next; // finishing may free it
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

// Does the same as detach_callbacks() and forget_callbacks(), without a wait: their memory is
// leaked. If the runtime is linked into the program, the program's module has the runtime's own
// callbacks, too; these go on, and so do the program's.
bool silence_callbacks(const Module *module) {
  bool any = false;
  if (is_in(module, &g_exits))
    return false;
  for (nophook_ops *state = known_ops(), *next; state; state = next) {
    next = state->next;
    if (!goes_with(state, module))
      continue;
    if (flags_of(state->ops) & FTRACE_OPS_FL_ENABLED) {
      if (fprobe *probe = probe_of(state->ops))
        silence_probe(probe);
      cut_off_by_data(state->ops);
      any = true;
    }
    unlist_ops(state);
  }
  return any;
}

// Leaves a module at exit. Text, tables and records stay as they are: in a sandbox the process
// might be killed for writing to its text, and a short process would spend most of its time on
// that. Functions of the module can still be called, by destructors of others and by threads;
// tracers record these calls. The module's callbacks are not called any more, as its own data may
// be gone.
void leave_at_exit(Module *module) {
  bool any_callback;
  {
    RuntimeLock lock;
    report_lost_sites(module);
    any_callback = silence_callbacks(module);
    drop_calls(module);
    if (module->can_leave)
      abandon_module(module->note);
  }
  // An exit handler may unload a library, and nothing shows that. So a library is not touched any
  // more, and a callback in it that a thread has not left yet gets a moment.
  if (any_callback && module->can_leave)
    give_callbacks_time();
}

void leave_at_unload(Module *module) {
  bool any_callback;
  {
    RuntimeLock lock;
    any_callback = detach_callbacks(module);
    release_module(module);
    forget_calls(module);
    forget_module(module);
  }
  // A thread that is in a callback may be in one of the module's, or of a function of it.
  Status waited = wait_for_callbacks();
  if (any_callback && !waited.ok())
    log_line("a library is unloaded, and the kernel refuses to tell whether a callback runs in it");
  {
    RuntimeLock lock;
    forget_callbacks(module);
  }
  reclaim(); // frees the sets of functions that the module's coming and going have replaced
}

} // namespace

bool watch_exit() {
  static const bool watched = atexit(on_exit) == 0;
  return watched;
}

void unload_module(const nophook_note *note) {
  Module *module;
  {
    RuntimeLock lock;
    module = find_module(note);
    if (!module)
      return;
    g_exits |= !module->can_leave; // destructors of the program itself run at exit only
  }
  g_exits ? leave_at_exit(module) : leave_at_unload(module);
}

} // namespace nophook
