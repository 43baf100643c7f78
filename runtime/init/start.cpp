// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the words of NOPHOOK, finds a folder for buffers and perhaps a recorder, applies the
// settings and starts the tracer.

#include "init/start.h"

#include "base/lock.h"
#include "base/log.h"
#include "buffer/folder.h"
#include "buffer/leftovers.h"
#include "buffer/trace_buffer.h"
#include "init/inherited_recording.h"
#include "init/setting_words.h"
#include "init/start_instances.h"
#include "ops/static_calls.h"
#include "tracefs/server.h"
#include "tracers/named_settings.h"
#include "tracers/tracer.h"
#include "tracers/usdt.h"

#include <errno.h>
#include <string.h>

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
  if (is_about_instance(word.text, word.key_bytes)) { // applied later: start_instances()
    settings->has_instances = true;
    return {};
  }
  return change_setting(top_array(), word.text, word.key_bytes, word.value, word.value_bytes);
}

void read_settings(const char *text, StartSettings *settings) {
  each_setting_word(text, [&](const SettingWord &word) { return apply(word, settings); });
}

// Finds the recorder of an ancestor that records this program as well.
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
  if (settings->buffer_dir[0]) {
    look_at_chosen_folder(settings->buffer_dir);
    return {};
  }
  NOPHOOK_TRY(find_buffer_folder(settings->buffer_dir, sizeof settings->buffer_dir));
  // The recorder's limit: most of the memory file system stays free for others.
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
  // Without a recorder, the written events can be read when the program is gone.
  if (is_traced(settings) || settings.serves || settings.has_instances)
    NOPHOOK_TRY(find_folder(&settings));
  Invitation invitation;
  if (settings.serves)
    invitation = follow_recorder(&settings);
  Status status = start(settings, text, invitation.session ? invitation.settings : nullptr);
  if (status.ok() && invitation.session &&
      !is_open(invitation)) // the recorder has ended in the meantime
    status = set_tracer(top_array(), "nop");
  end_invitation(&invitation);
  return status;
}

} // namespace

Status start_by(const char *text) {
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
    line.add("not tracing");
    if (settings.tracer[0])
      line.add(" (current_tracer=").add(settings.tracer).add(")");
    log_refusal(line.add(": ").add(status.reason));
  }
  log_route(is_recorded, is_serving());
  return status;
}

} // namespace nophook
