// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a buffer and its clock. Some are numbers that only readers use: the process keeps
// them, because all readers can find them here.

#include "base/limit_text.h"
#include "base/lock.h"
#include "buffer/snapshot.h"
#include "buffer/trace_clock.h"
#include "tracefs/control_file.h"
#include "tracefs/options.h"
#include "tracefs/reader_settings.h"
#include "tracers/buffer_change.h"
#include "tracers/named_settings.h"
#include "tracers/trace_array.h"

#include <errno.h>

namespace nophook {

// The readers' settings of an instance; the defaults, if they were an earlier instance's.
ReaderSettings &reader_settings(uint64_t instance) {
  static ReaderSettings settings[kTraceArrays];
  ReaderSettings &its = settings[instance];
  if (its.generation != buffer_of(instance).generation)
    its = {.generation = buffer_of(instance).generation};
  return its;
}

namespace {

Status read_size(FileTarget at, ControlText &text) {
  text.number(at.array.buffer().kib).add("\n");
  return {};
}

// There is one buffer for all CPUs, so its size is its total.
Status write_size(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t kib;
  NOPHOOK_TRY(read_decimal(value, bytes, &kib));
  RuntimeLock lock;
  return buffer_resize(at.array.buffer(), kib);
}

Status read_page_size(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  text.number(reader_settings(at.array.number).page_kib).add("\n");
  return {};
}

// The largest page, in KiB. As in the kernel, a size is a power of two pages.
constexpr uint64_t kMostPageKib = 64;
Status write_page_size(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t kib;
  NOPHOOK_TRY(read_decimal(value, bytes, &kib));
  if (!kib || kib > kMostPageKib)
    return failure(EINVAL, limit_text<"a sub-buffer has 1 to ", kMostPageKib, " KiB">);
  RuntimeLock lock;
  uint32_t &page_kib = reader_settings(at.array.number).page_kib;
  for (page_kib = 4; page_kib < kib;)
    page_kib *= 2;
  return {};
}

Status read_percent(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  text.number(reader_settings(at.array.number).percent).add("\n");
  return {};
}

Status write_percent(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t percent;
  NOPHOOK_TRY(read_decimal(value, bytes, &percent));
  if (percent > 100)
    return failure(EINVAL, "a part of the buffer is 0 to 100 percent");
  RuntimeLock lock;
  reader_settings(at.array.number).percent = (uint32_t)percent;
  return {};
}

Status read_clock(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const Buffer &buffer = at.array.buffer();
  const ClockName *shown = buffer.clock_name;
  if (!shown || (shown->clock != buffer.clock.kind && stamp_of(*shown) != buffer.clock.kind))
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

Status write_clock(FileTarget at, const char *value, uint64_t bytes) {
  const ClockName *wanted = find_clock(value, bytes);
  if (!wanted)
    return failure(EINVAL, "there is no such clock");
  NOPHOOK_TRY(change_clock(at.array.buffer(), *wanted));
  RuntimeLock lock;
  at.array.buffer().clock_name = wanted;
  return {};
}

Status read_timestamp_mode(FileTarget, ControlText &text) {
  text.add("[delta] absolute\n");
  return {};
}

constexpr char kSnapshotHelp[] =
    "# Snapshot commands:\n"
    "# echo 0 > snapshot : Clears and frees snapshot buffer\n"
    "# echo 1 > snapshot : Sets aside the contents of the buffer, while tracing continues.\n"
    "# echo 2 > snapshot : Clears snapshot buffer\n"
    "#                      (Doesn't have to be '2' works with any number that\n"
    "#                       is not a '0' or '1')\n";

Status read_snapshot(FileTarget at, ControlText &text) {
  const char *state = snapshot_is_allocated(at.array.buffer()) ? "allocated" : "freed";
  text.add("#\n# * Snapshot is ").add(state).add(" *\n#\n").add(kSnapshotHelp);
  return {};
}

Status write_snapshot(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  Buffer &buffer = at.array.buffer();
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

// Accepts a write without effect.
Status write_nothing(FileTarget, const char *, uint64_t) {
  return {};
}

Status free_buffer(FileTarget at) {
  RuntimeLock lock;
  if (trace_option("disable_on_free", at.array))
    buffer_pause(true, at.array.buffer());
  return buffer_resize(at.array.buffer(), kLeastBufferKib);
}

constexpr ControlFile kFiles[] = {
    {.path = "buffer_percent", .read = read_percent, .write = write_percent},
    {.path = "buffer_size_kb", .read = read_size, .write = write_size},
    {.path = "buffer_subbuf_size_kb", .read = read_page_size, .write = write_page_size},
    {.path = "buffer_total_size_kb", .read = read_size, .write = write_size},
    {.path = "free_buffer", .write = write_nothing, .closed = free_buffer},
    {.path = "snapshot", .read = read_snapshot, .write = write_snapshot},
    {.path = "timestamp_mode", .read = read_timestamp_mode},
    {.path = "trace_clock", .read = read_clock, .write = write_clock},
};

} // namespace

ControlFiles buffer_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
