// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a buffer and its clock, of the main one and of each instance's. Some are numbers
// that only readers use: the process keeps them, because here is where all readers look. `which` is
// the instance's number.

#include "base/lock.h"
#include "buffer/clock.h"
#include "buffer/snapshot.h"
#include "tracefs/control_file.h"
#include "tracefs/options.h"
#include "tracefs/reader_settings.h"
#include "tracers/buffer_change.h"
#include "tracers/instance.h"
#include "tracers/settings.h"

#include <errno.h>

namespace nophook {

// As at first, if they were an earlier instance's.
ReaderSettings &reader_settings(uint64_t instance) {
  static ReaderSettings settings[1 + kMaxInstances];
  ReaderSettings &its = settings[instance];
  if (its.generation != buffer_of(instance).generation)
    its = {.generation = buffer_of(instance).generation};
  return its;
}

namespace {

Status read_size(uint64_t which, ControlText &text) {
  text.number(buffer_of(which).kib).add("\n");
  return {};
}

// There is one buffer for all CPUs, so its size is its total.
Status write_size(uint64_t which, const char *value, uint64_t bytes) {
  uint64_t kib;
  NOPHOOK_TRY(read_decimal(value, bytes, &kib));
  RuntimeLock lock;
  return buffer_resize(buffer_of(which), kib);
}

Status read_page_size(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  text.number(reader_settings(which).page_kib).add("\n");
  return {};
}

// As the kernel, which takes whole powers of two pages.
Status write_page_size(uint64_t which, const char *value, uint64_t bytes) {
  uint64_t kib;
  NOPHOOK_TRY(read_decimal(value, bytes, &kib));
  if (!kib || kib > 64)
    return failure(EINVAL, "a sub-buffer has 1 to 64 KiB");
  RuntimeLock lock;
  uint32_t &page_kib = reader_settings(which).page_kib;
  for (page_kib = 4; page_kib < kib;)
    page_kib *= 2;
  return {};
}

Status read_percent(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  text.number(reader_settings(which).percent).add("\n");
  return {};
}

Status write_percent(uint64_t which, const char *value, uint64_t bytes) {
  uint64_t percent;
  NOPHOOK_TRY(read_decimal(value, bytes, &percent));
  if (percent > 100)
    return failure(EINVAL, "a part of the buffer is 0 to 100 percent");
  RuntimeLock lock;
  reader_settings(which).percent = (uint32_t)percent;
  return {};
}

Status read_clock(uint64_t which, ControlText &text) {
  RuntimeLock lock;
  const Buffer &buffer = buffer_of(which);
  const ClockName *shown = buffer.clock_name;
  if (!shown || shown->clock != buffer.clock.kind)
    for (const ClockName &clock : kClockNames)
      if (clock.clock == buffer.clock.kind)
        shown = &clock;
  for (const ClockName &clock : kClockNames) {
    bool is_shown = &clock == shown;
    text.add(&clock == kClockNames ? "" : " ").add(is_shown ? "[" : "").add(clock.name);
    text.add(is_shown ? "]" : "");
  }
  text.add("\n");
  return {};
}

Status write_clock(uint64_t which, const char *value, uint64_t bytes) {
  const ClockName *wanted = find_clock(value, bytes);
  if (!wanted)
    return failure(EINVAL, "there is no such clock");
  NOPHOOK_TRY(change_clock(buffer_of(which), *wanted));
  RuntimeLock lock;
  buffer_of(which).clock_name = wanted;
  return {};
}

Status read_timestamp_mode(uint64_t, ControlText &text) {
  text.add("[delta] absolute\n");
  return {};
}

constexpr char kSnapshotHelp[] =
    "# Snapshot commands:\n"
    "# echo 0 > snapshot : Clears and frees snapshot buffer\n"
    "# echo 1 > snapshot : Sets aside what is in the buffer, while everything goes on.\n"
    "# echo 2 > snapshot : Clears snapshot buffer\n"
    "#                      (Doesn't have to be '2' works with any number that\n"
    "#                       is not a '0' or '1')\n";

Status read_snapshot(uint64_t which, ControlText &text) {
  const char *state = snapshot_is_allocated(buffer_of(which)) ? "allocated" : "freed";
  text.add("#\n# * Snapshot is ").add(state).add(" *\n#\n").add(kSnapshotHelp);
  return {};
}

Status write_snapshot(uint64_t which, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  Buffer &buffer = buffer_of(which);
  if (number != 1) {
    RuntimeLock lock;
    number ? drop_snapshots(buffer) : free_snapshots(buffer);
    return {};
  }
  if (!buffer.header)
    return failure(ENODEV, "there is no buffer yet: no tracer has been on");
  return renew_snapshot(buffer) ? Status{}
                                : failure(EBUSY, "no snapshot was taken: the log says why");
}

// What is written does not matter.
Status write_nothing(uint64_t, const char *, uint64_t) {
  return {};
}

Status free_buffer(uint64_t which) {
  RuntimeLock lock;
  if (trace_option("disable_on_free", (uint32_t)which))
    buffer_pause(true, buffer_of(which));
  return buffer_resize(buffer_of(which), kLeastBufferKib);
}

constexpr ControlFile kFiles[] = {
    {.path = "buffer_percent", .read_of = read_percent, .write_of = write_percent},
    {.path = "buffer_size_kb", .read_of = read_size, .write_of = write_size},
    {.path = "buffer_subbuf_size_kb", .read_of = read_page_size, .write_of = write_page_size},
    {.path = "buffer_total_size_kb", .read_of = read_size, .write_of = write_size},
    {.path = "free_buffer", .write_of = write_nothing, .closed = free_buffer},
    {.path = "snapshot", .read_of = read_snapshot, .write_of = write_snapshot},
    {.path = "timestamp_mode", .read_of = read_timestamp_mode},
    {.path = "trace_clock", .read_of = read_clock, .write_of = write_clock},
};

} // namespace

void visit_buffer_files(uint32_t instance, VisitFile visit, void *context) {
  for (ControlFile file : kFiles) {
    file.which = instance;
    visit(context, file);
  }
}

} // namespace nophook
