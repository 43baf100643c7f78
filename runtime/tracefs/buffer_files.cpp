// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of the buffer and its clock. Some are numbers that only readers use: the process keeps
// them, because here is where all readers look.

#include "base/lock.h"
#include "buffer/buffer.h"
#include "buffer/clock.h"
#include "buffer/snapshot.h"
#include "tracefs/control_file.h"
#include "tracefs/options.h"
#include "tracefs/reader_settings.h"
#include "tracers/buffer_change.h"
#include "tracers/settings.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {

constexpr uint64_t kLeastKib = 1024;

ReaderSettings g_reader_settings = {.page_kib = 4, .percent = 50};

namespace {

Status read_size(ControlText &text) {
  text.number(g_buffer.kib).add("\n");
  return {};
}

// There is one buffer for all CPUs, so its size is its total.
Status write_size(const char *value, uint64_t bytes) {
  uint64_t kib;
  NOPHOOK_TRY(read_decimal(value, bytes, &kib));
  RuntimeLock lock;
  return buffer_resize(kib);
}

Status read_page_size(ControlText &text) {
  RuntimeLock lock;
  text.number(g_reader_settings.page_kib).add("\n");
  return {};
}

// As the kernel, which takes whole powers of two pages.
Status write_page_size(const char *value, uint64_t bytes) {
  uint64_t kib;
  NOPHOOK_TRY(read_decimal(value, bytes, &kib));
  if (!kib || kib > 64)
    return failure(EINVAL, "a sub-buffer has 1 to 64 KiB");
  RuntimeLock lock;
  for (g_reader_settings.page_kib = 4; g_reader_settings.page_kib < kib;)
    g_reader_settings.page_kib *= 2;
  return {};
}

Status read_percent(ControlText &text) {
  RuntimeLock lock;
  text.number(g_reader_settings.percent).add("\n");
  return {};
}

Status write_percent(const char *value, uint64_t bytes) {
  uint64_t percent;
  NOPHOOK_TRY(read_decimal(value, bytes, &percent));
  if (percent > 100)
    return failure(EINVAL, "a part of the buffer is 0 to 100 percent");
  RuntimeLock lock;
  g_reader_settings.percent = (uint32_t)percent;
  return {};
}

} // namespace

Status read_clock(const Buffer &buffer, ControlText &text) {
  RuntimeLock lock;
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

Status write_clock(Buffer &buffer, const char *value, uint64_t bytes) {
  const ClockName *wanted = find_clock(value, bytes);
  if (!wanted)
    return failure(EINVAL, "there is no such clock");
  NOPHOOK_TRY(change_clock(buffer, *wanted));
  RuntimeLock lock;
  buffer.clock_name = wanted;
  return {};
}

namespace {

Status read_main_clock(ControlText &text) {
  return read_clock(g_buffer, text);
}

Status write_main_clock(const char *value, uint64_t bytes) {
  return write_clock(g_buffer, value, bytes);
}

Status read_timestamp_mode(ControlText &text) {
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

Status read_snapshot(ControlText &text) {
  text.add("#\n# * Snapshot is ").add(has_snapshots() ? "allocated" : "freed").add(" *\n#\n");
  text.add(kSnapshotHelp);
  return {};
}

Status write_snapshot(const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  if (number != 1) {
    drop_snapshots();
    return {};
  }
  if (!g_buffer.header)
    return failure(ENODEV, "there is no buffer yet: no tracer has been on");
  return take_snapshot(false) ? Status{}
                              : failure(EBUSY, "no snapshot was taken: the log says why");
}

// What is written does not matter.
Status write_nothing(const char *, uint64_t) {
  return {};
}

Status free_buffer() {
  RuntimeLock lock;
  if (trace_option("disable_on_free"))
    buffer_pause(true);
  return buffer_resize(kLeastKib);
}

const ControlFile kFiles[] = {
    {.path = "buffer_percent", .read = read_percent, .write = write_percent},
    {.path = "buffer_size_kb", .read = read_size, .write = write_size},
    {.path = "buffer_subbuf_size_kb", .read = read_page_size, .write = write_page_size},
    {.path = "buffer_total_size_kb", .read = read_size, .write = write_size},
    {.path = "free_buffer", .write = write_nothing, .closed = free_buffer},
    {.path = "snapshot", .read = read_snapshot, .write = write_snapshot},
    {.path = "timestamp_mode", .read = read_timestamp_mode},
    {.path = "trace_clock", .read = read_main_clock, .write = write_main_clock},
};

} // namespace

ControlFiles buffer_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
