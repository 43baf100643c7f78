// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that choose the tracer, switch it, and take the program's own messages.

#include "base/lock.h"
#include "buffer/trace_buffer.h"
#include "tracefs/control_file.h"
#include "tracers/mark.h"
#include "tracers/named_settings.h"
#include "tracers/tracer.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {
namespace {

Status read_tracers(FileTarget, ControlText &text) {
  const Tracers all = tracers();
  for (const Tracer *tracer = all.end(); tracer-- != all.begin();)
    text.add(tracer->name).add(" ");
  text.add("nop\n");
  return {};
}

Status read_tracer(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  text.add(current_tracer(at.array)).add("\n");
  return {};
}

// Sets the tracer. As in the kernel it begins with an empty buffer. Unlike there, `nop` leaves the
// buffer's contents: a recorder may not have read all when a program ends its trace so.
Status write_tracer(FileTarget at, const char *value, uint64_t bytes) {
  trace_array &tr = at.array;
  Text<64> name;
  name.add(value, bytes);
  const Tracer *before;
  {
    RuntimeLock lock;
    before = tr.tracer;
  }
  NOPHOOK_TRY(set_tracer(tr, name.c_str()));
  RuntimeLock lock;
  if (tr.tracer && tr.tracer != before)
    buffer_clear(tr.buffer());
  return {};
}

// Writes a mark. As in the kernel, no tracer needs to be on.
Status write_a_mark(trace_array &tr, uint8_t format, const char *data, uint64_t bytes) {
  if (tr.is_top()) {
    RuntimeLock lock;
    NOPHOOK_TRY(keep_buffer_on_for_marks());
  }
  return write_mark_file(tr.buffer(), format, data, bytes);
}

Status write_words(FileTarget at, const char *text, uint64_t bytes) {
  NOPHOOK_TRY(write_a_mark(at.array, NOPHOOK_VALUES_TEXT, text, bytes));
  at.array.latency.at_mark(text, bytes);
  run_mark_triggers(at.array.number, text, bytes);
  return {};
}

Status write_raw(FileTarget at, const char *data, uint64_t bytes) {
  return write_a_mark(at.array, NOPHOOK_VALUES_RAW, data, bytes);
}

const ControlFile kFiles[] = {
    {.path = "available_tracers", .read = read_tracers},
    {.path = "current_tracer", .read = read_tracer, .write = write_tracer},
    {.path = "trace_marker",
     .kind = ControlFile::Kind::kMessage,
     .write = write_words,
     .most_bytes = kMarkBytes},
    {.path = "trace_marker_raw", .kind = ControlFile::Kind::kMessage, .write = write_raw},
};

} // namespace

ControlFiles tracer_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
