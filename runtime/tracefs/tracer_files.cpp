// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that choose the tracer, switch it, and take the program's own words.

#include "base/lock.h"
#include "buffer/buffer.h"
#include "events/mark_event.h"
#include "tracefs/control_file.h"
#include "tracers/mark.h"
#include "tracers/settings.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {
namespace {

Status read_tracers(ControlText &text) {
  for (uint32_t i = tracer_count(); i-- > 0;)
    text.add(tracer_name(i)).add(i ? " " : "\n");
  return {};
}

Status read_tracer(ControlText &text) {
  RuntimeLock lock;
  text.add(current_tracer()).add("\n");
  return {};
}

// As in the kernel a tracer begins with an empty buffer. Unlike there, `nop` leaves what is in it:
// a program that ends its trace by it has a recorder that has not read all.
Status write_tracer(const char *value, uint64_t bytes) {
  Text<64> name, before;
  name.add(value, bytes);
  {
    RuntimeLock lock;
    before.add(current_tracer());
  }
  NOPHOOK_TRY(set_tracer(name.c_str()));
  RuntimeLock lock;
  if (!equal_bytes(before.c_str(), name.c_str(), name.size() + 1) &&
      !equal_bytes(name.c_str(), "nop", sizeof "nop"))
    buffer_clear();
  return {};
}

Status read_tracing_on(ControlText &text) {
  text.add(buffer_is_paused() ? "0\n" : "1\n");
  return {};
}

Status write_tracing_on(const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  RuntimeLock lock;
  buffer_pause(number == 0);
  return {};
}

// As in the kernel no tracer has to be on.
Status write_a_mark(uint8_t format, const char *data, uint64_t bytes) {
  {
    RuntimeLock lock;
    NOPHOOK_TRY(keep_buffer_on_for_marks());
  }
  return write_mark_file(g_buffer, format, data, bytes);
}

Status write_words(const char *text, uint64_t bytes) {
  NOPHOOK_TRY(write_a_mark(NOPHOOK_VALUES_TEXT, text, bytes));
  run_mark_triggers(0, text, bytes);
  return {};
}

Status write_raw(const char *data, uint64_t bytes) {
  return write_a_mark(NOPHOOK_VALUES_RAW, data, bytes);
}

const ControlFile kFiles[] = {
    {.path = "available_tracers", .read = read_tracers},
    {.path = "current_tracer", .read = read_tracer, .write = write_tracer},
    {.path = "trace_marker",
     .kind = ControlFile::Kind::kMessage,
     .write = write_words,
     .most_bytes = kMarkBytes},
    {.path = "trace_marker_raw", .kind = ControlFile::Kind::kMessage, .write = write_raw},
    {.path = "tracing_on", .read = read_tracing_on, .write = write_tracing_on},
};

} // namespace

ControlFiles tracer_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
