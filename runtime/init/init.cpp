// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's only constructor, the registration of modules, and the environment.
//
// Without NOPHOOK in the environment the constructor makes one system call (it registers for
// membarrier, which costs 5 us now and 12 ms once threads run; then it is left for later), asks the
// loader two questions that are not safe later (13 us, sites/startup.h), and touches nothing else.
//
//      NOPHOOK="key=value key=value ..."
//
//      buffer_dir=DIR              folder of the buffer file; set by `nophook record`
//      buffer_size_kb=N            its size
//      tracing_on=0                begin paused
//      function_fork=0             children of fork are not traced; the kernel's option of the name
//      current_tracer=NAME         nop, function, function_graph, profile, hits; before main
//      trace_instance=NAME,EVENT,...   an instance that is there from the start; and
//      instances/NAME/FILE=VALUE   its control files (init/start_instances.h)
//      log=stderr|FILE             target of the log beside the control tree and the recorder
//      serve                       a socket for the control tree (nophook/control.h), once there
//                                  are sites
//      static=1                    calls that recordmcount has kept stay calls: no text is written
//
// and all of tracers/named_settings.cpp: docs/reference/settings.md has them.
//
// The environment of a set-user-ID program is not its user's to use: it is ignored.

#include "base/libc_threads.h"
#include "base/lock.h"
#include "base/log.h"
#include "init/duplicate_runtime.h"
#include "init/start.h"
#include "livepatch/patch.h"
#include "ops/unload.h"
#include "poke/kill_switch.h"
#include "poke/poke.h"
#include "sites/startup.h"
#include "tracefs/server.h"
#include "tracers/tracer.h"

#include <nophook/site.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

void choose_poke_way() {
  const char *way = getenv("NOPHOOK_POKE");
  if (!way)
    return;
  if (strcmp(way, "skip") == 0)
    set_preferred_way(PokeWay::kSkip);
  else if (strcmp(way, "trap") == 0)
    set_preferred_way(PokeWay::kTrap);
  else if (strcmp(way, "store") != 0)
    log_refusal("NOPHOOK_POKE: the ways are store, skip and trap");
}

// Runs in a fork child when the signal handler that had forked has returned, and the rest of the
// interrupted change is done: from here on the sites can be turned into NOPs.
void cut_change_ends() {
  trip_kill_switch(LogText().add(
      "this child was forked by a signal handler that had interrupted a change of the runtime's"));
}

__attribute__((constructor(101))) void initialise() {
  if (!is_the_runtime()) {
    if (getenv("NOPHOOK"))
      log_route(false, false);
    return;
  }
  // Once threads run, registering would hold up the thread that loads the runtime. Then the first
  // thread that changes text registers.
  if (!libc_has_threads())
    register_core_sync();
  ask_loader();
  when_cut_change_ends(cut_change_ends);
  if (getauxval(AT_SECURE))
    return;
  choose_poke_way();
  const char *text = getenv("NOPHOOK");
  if (!text) {
    if (getenv("NOPHOOK_POKE"))
      log_route(false, false);
    return;
  }
  (void)start_by(text); // failures have been logged
}

} // namespace
} // namespace nophook

extern "C" __attribute__((visibility("default"))) void
nophook_register_module(const struct nophook_note *note) {
  if (nophook::other_registers(note))
    return;
  nophook::Status status;
  if (nophook::awaits_module(note)) {
    if (nophook::must_not_lock()) {
      nophook::log_line("a library is not traced: a signal handler that has interrupted the "
                        "runtime, or a child that was forked by one, has loaded it");
      return;
    }
    nophook::RuntimeLock lock;
    status = nophook::module_arrived(note);
  }
  if (status.ok())
    status = nophook::serve_first_sites();
  if (!status.ok()) {
    nophook::LogText line;
    nophook::log_line(line.add("a library that was loaded is not traced: ").add(status.reason));
    return;
  }
  if (!nophook::must_not_lock())
    nophook::object_comes(note);
}

extern "C" __attribute__((visibility("default"))) void
nophook_unregister_module(const struct nophook_note *note) {
  if (nophook::other_unregisters(note))
    return;
  __atomic_thread_fence(
      __ATOMIC_SEQ_CST); // `leaves` of nophook_life is written, in older modules, too
  if (!nophook::modules_are_awaited())
    return;
  if (nophook::must_not_lock()) // mostly an exit() in a handler
    nophook::abandon_module(note);
  else {
    nophook::object_goes(note);
    nophook::unload_module(note);
  }
}
