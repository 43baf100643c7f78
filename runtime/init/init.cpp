// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's only constructor, the registration of modules, and the environment.
//
// Without NOPHOOK in the environment the constructor makes one system call (it registers for
// membarrier, which costs 5 us now and 12 ms once threads run), asks the loader what nobody can ask
// it safely later (13 us, sites/startup.h) and touches nothing else.
//
//      NOPHOOK="key=value key=value ..."
//
//      buffer_dir=DIR              where the buffer file goes; set by `nophook record`
//      buffer_size_kb=N            its size
//      tracing_on=0                begin paused
//      function_fork=0             children of fork are not traced; the kernel's option of the name
//      current_tracer=NAME         nop, function, function_graph or profile; started before main
//      trace_instance=NAME,EVENT,...   an instance that is there from the start; and
//      instances/NAME/FILE=VALUE   its control files (init/start_instances.h)
//      log=stderr|FILE             where the log goes beside the control tree and the recorder
//      serve                       a socket for the control tree (nophook/control.h), once there
//                                  are sites
//      static=1                    calls that recordmcount has kept stay calls: no text is written
//
// and all of tracers/named_settings.cpp: docs/reference/settings.md has them.
//
// The environment of a set-user-ID program is not its user's to use: it is ignored.

#include "base/lock.h"
#include "base/log.h"
#include "buffer/folder.h"
#include "buffer/leftovers.h"
#include "buffer/trace_buffer.h"
#include "init/duplicate_runtime.h"
#include "init/inherited_recording.h"
#include "init/setting_words.h"
#include "init/start_instances.h"
#include "livepatch/patch.h"
#include "ops/static_calls.h"
#include "ops/unload.h"
#include "poke/kill_switch.h"
#include "poke/poke.h"
#include "sites/startup.h"
#include "tracefs/server.h"
#include "tracers/named_settings.h"
#include "tracers/tracer.h"
#include "tracers/usdt.h"

#include <nophook/site.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

struct StartSettings {
  char buffer_dir[512];
  uint64_t buffer_kib;
  char tracer[64];
  bool serves;
  bool has_instances;
};

template <size_t Capacity>
Status read_text(const char *value, uint64_t bytes, char (&text)[Capacity]) {
  if (bytes >= Capacity)
    return failure(ENAMETOOLONG, "the value is too long");
  copy_bytes(text, value, bytes);
  text[bytes] = 0;
  return {};
}

Status apply(const SettingWord &word, StartSettings *settings) {
  auto is = [&](const char *name) { return is_text(word.text, word.key_bytes, name); };
  if (word.is("serve")) {
    settings->serves = true;
    return {};
  }
  if (!word.value)
    return failure(EINVAL, "a setting is KEY=VALUE");
  if (is("buffer_dir"))
    return read_text(word.value, word.value_bytes, settings->buffer_dir);
  if (is("buffer_size_kb"))
    return read_decimal(word.value, word.value_bytes, &settings->buffer_kib);
  if (is("static")) {
    if (word.value_bytes != 1 || *word.value != '1')
      return failure(EINVAL, "1 is the only value");
    keep_calls();
    return {};
  }
  if (is("current_tracer"))
    return read_text(word.value, word.value_bytes, settings->tracer);
  if (is_about_instance(word.text, word.key_bytes)) { // later: start_instances()
    settings->has_instances = true;
    return {};
  }
  return change_setting(top_array(), word.text, word.key_bytes, word.value, word.value_bytes);
}

void read_settings(const char *text, StartSettings *settings) {
  each_setting_word(text, [&](const SettingWord &word) { return apply(word, settings); });
}

// A recorder of an ancestor may record this program as well.
Invitation follow_recorder(StartSettings *settings) {
  Invitation invitation = find_invitation(settings->buffer_dir);
  if (!invitation.session)
    return invitation;
  buffer_join(invitation.session);
  RuntimeLock lock;
  read_settings(invitation.settings, settings);
  return invitation;
}

Status find_folder(StartSettings *settings) {
  if (settings->buffer_dir[0])
    return {};
  NOPHOOK_TRY(find_buffer_folder(settings->buffer_dir, sizeof settings->buffer_dir));
  // As the recorder does: most of the memory file system stays free for others.
  uint64_t most = free_kib(settings->buffer_dir) / 3;
  settings->buffer_kib = settings->buffer_kib < most ? settings->buffer_kib : most;
  remove_leftovers(settings->buffer_dir);
  buffer_bound_leftovers();
  return {};
}

bool is_traced(const StartSettings &settings) {
  return settings.tracer[0] && strcmp(settings.tracer, "nop") != 0;
}

Status start(const StartSettings &settings, const char *text, const char *invited_text) {
  if (settings.buffer_dir[0])
    NOPHOOK_TRY(buffer_configure(settings.buffer_dir, settings.buffer_kib));
  if (settings.serves)
    NOPHOOK_TRY(serve(g_buffer.directory));
  if (settings.has_instances) {
    start_instances(text);
    if (invited_text)
      start_instances(invited_text);
  }
  if (settings.tracer[0])
    NOPHOOK_TRY(set_tracer(top_array(), settings.tracer));
  RuntimeLock lock;
  each_array([&](trace_array &tr) {
    if (!tr.is_top() || is_traced(settings))
      report_misses(tr);
  });
  if (is_traced(settings))
    return {};
  if (settings.tracer[0] && buffer_configured())
    return open_for_marks();
  return has_usdt() ? listen() : Status{};
}

Status start_from(StartSettings &settings, const char *text) {
  // Traced with no recorder: what was written can be read when the program is gone.
  if (is_traced(settings) || settings.serves || settings.has_instances)
    NOPHOOK_TRY(find_folder(&settings));
  Invitation invitation;
  if (settings.serves)
    invitation = follow_recorder(&settings);
  Status status = start(settings, text, invitation.session ? invitation.settings : nullptr);
  if (status.ok() && invitation.session && !is_open(invitation)) // it has ended in between
    status = set_tracer(top_array(), "nop");
  end_invitation(&invitation);
  return status;
}

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

// A signal handler that had forked has returned in the child, and what was left of the interrupted
// change is done: from here on the sites can be turned into NOPs.
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
  StartSettings settings = {};
  settings.buffer_kib = kDefaultBufferKib;
  {
    RuntimeLock lock;
    read_settings(text, &settings);
  }
  const bool is_recorded = settings.buffer_dir[0];
  Status status = start_from(settings, text);
  if (!status.ok()) {
    LogText line;
    log_refusal(line.add("not tracing (current_tracer=")
                    .add(settings.tracer)
                    .add("): ")
                    .add(status.reason));
  }
  log_route(is_recorded, is_serving());
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
  if (nophook::must_not_lock()) // exit() in a handler, mostly
    nophook::abandon_module(note);
  else {
    nophook::object_goes(note);
    nophook::unload_module(note);
  }
}
