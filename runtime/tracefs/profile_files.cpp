// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function profiler as the kernel shows it. Its counts are by thread, not by CPU: there is one
// table, of all threads.
//
// No floating point here: the runtime is compiled for general registers.

#include "base/lock.h"
#include "base/sort.h"
#include "buffer/trace_clock.h"
#include "ops/adopt.h"
#include "tracefs/control_file.h"
#include "tracefs/function_list.h"
#include "tracefs/options.h"
#include "tracers/named_settings.h"
#include "tracers/profiler.h"
#include "tracers/tracer.h"

#include <errno.h>

namespace nophook {
namespace {

using Wide = unsigned __int128;
constexpr uint64_t kNsPerSecond = 1000000000;

// Divides by hand: the compiler would call a function of its library.
Wide divide(Wide value, uint64_t by) {
  Wide quotient = 0, rest = 0;
  for (int bit = 127; bit >= 0; bit--) {
    rest = rest << 1 | (value >> bit & 1);
    quotient <<= 1;
    if (rest >= by) {
      rest -= by;
      quotient |= 1;
    }
  }
  return quotient;
}

uint64_t ns_of(uint64_t ticks, uint64_t ticks_per_second) {
  return ticks / ticks_per_second * kNsPerSecond +
         ticks % ticks_per_second * kNsPerSecond / ticks_per_second;
}

// The variance of the times as a sample's, in the kernel's unit of ns^2 / 1000, so that it is shown
// like a time.
uint64_t variance(const nophook_counts &counts, uint64_t ticks_per_second) {
  if (counts.hits < 2)
    return 0;
  Wide squares = (Wide)counts.square_high << 64 | counts.square_low;
  Wide expected = divide((Wide)counts.sum * counts.sum, counts.hits);
  Wide ticks = squares > expected ? divide(squares - expected, counts.hits - 1) : 0;
  uint64_t per_us = ticks_per_second / 1000000;
  Wide ns = divide(divide(ticks * 1000, per_us) * 1000, per_us);
  return (uint64_t)divide(ns, 1000);
}

// Adds a duration as `123.456 us`, with at most seven digits, padded.
void add_duration(ControlText &text, uint64_t ns) {
  Text<24> us, rest;
  us.number(ns / 1000);
  uint64_t length = us.size();
  text.add(us.c_str());
  if (length < 7) {
    rest.number(1000 + ns % 1000);
    uint64_t digits = 7 - length < 3 ? 7 - length : 3;
    text.add(".").add(rest.c_str() + 1, digits);
    length += digits + 1;
  }
  text.add(" us ");
  for (; length < 8; length++)
    text.add(" ");
}

void add_cell(ControlText &text, const char *cell, uint64_t bytes, uint64_t width, bool is_left) {
  bytes = bytes < width || !is_left ? bytes : width;
  if (is_left)
    text.add(cell, bytes);
  for (uint64_t i = bytes; i < width; i++)
    text.add(" ");
  if (!is_left)
    text.add(cell, bytes);
}

// The times of a function. Without graph-time the time of callees is left out; s^2 stays that of
// whole calls. The total has the time of a call inside of a call of the same function once, the
// average is of all calls.
struct Times {
  uint64_t total, average;
};
Times times_of(const trace_array &tr, const nophook_counts &counts) {
  if (trace_option("graph-time", tr))
    return {counts.total, counts.sum / counts.hits};
  return {counts.self, counts.self / counts.hits};
}

void add_row(ControlText &text, const trace_array &tr, const Function &function,
             const nophook_counts &counts, uint64_t ticks_per_second) {
  ControlText name;
  add_name(name, function);
  Text<24> hits;
  hits.number(counts.hits);
  text.add("  ");
  add_cell(text, name.data(), name.size(), 30, true);
  text.add("  ");
  add_cell(text, hits.c_str(), hits.size(), 10, false);
  if (!tr.profiler.has_times()) {
    text.add("\n");
    return;
  }
  const Times times = times_of(tr, counts);
  for (uint64_t duration : (const uint64_t[]){ns_of(times.total, ticks_per_second),
                                              ns_of(times.average, ticks_per_second),
                                              variance(counts, ticks_per_second)}) {
    text.add("    ");
    add_duration(text, duration);
  }
  text.add("\n");
}

constexpr const char *kHeadWithTimes =
    "  Function                               Hit    Time            Avg             s^2\n"
    "  --------                               ---    ----            ---             ---\n";
// The kernel's head of the table.
constexpr const char *kHead = "  Function                               Hit\n"
                              "  --------                               ---\n"; // without times

// A line of the table, made in the order in which names are read, and sorted for the order in which
// lines are shown.
struct Row {
  uint64_t total, hits;
  uint64_t begin, end; // bounds of its text
};

Status read_table(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  trace_array &tr = at.array;
  NOPHOOK_TRY(adopt_modules());
  Array<nophook_counts> sums;
  NOPHOOK_TRY(tr.profiler.sum(&sums));
  FtraceHash *called = new_hash((uint32_t)round_up(sums.size() + 1, 64));
  if (!called)
    return failure(ENOMEM, "no memory for the profiler's table");
  for (uint32_t id = 0; id < sums.size(); id++)
    hash_set(called, id, sums[id].hits);
  uint64_t ticks_per_second = ticks_of_ns(tr.buffer().clock, kNsPerSecond);
  ControlText lines;
  Array<Row> rows;
  bool is_short = false;
  Status status = each_function(called, [&](const Function &function) {
    const nophook_counts &counts = sums[function.id];
    uint64_t begin = lines.size();
    add_row(lines, tr, function, counts, ticks_per_second);
    is_short =
        is_short || !rows.push({times_of(tr, counts).total, counts.hits, begin, lines.size()});
  });
  free_hash(called);
  NOPHOOK_TRY(status);
  NOPHOOK_TRY(lines.status());
  if (is_short)
    return failure(ENOMEM, "no memory for the profiler's table");
  sort(rows.data(), rows.size(), [](const Row &a, const Row &b) {
    return a.total != b.total ? a.total > b.total : a.hits > b.hits;
  });
  text.add(tr.profiler.has_times() ? kHeadWithTimes : kHead);
  for (const Row &row : rows)
    text.add(lines.data() + row.begin, row.end - row.begin);
  return {};
}

bool profiles(const trace_array &tr) {
  return tr.tracer && tr.tracer->role == Role::kProfile;
}

Status read_enabled(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  text.add(profiles(at.array) ? "1\n" : "0\n");
  return {};
}

Status write_enabled(FileTarget at, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  {
    RuntimeLock lock;
    if (profiles(at.array) == (number != 0))
      return {};
    if (number && at.array.tracer)
      return failure(EBUSY, "the profiler is a tracer here, and another one is on");
    if (number)
      at.array.profiler.reset();
  }
  return set_tracer(at.array, number ? "profile" : "nop");
}

const ControlFile kFiles[] = {
    {.path = "function_profile_enabled", .read = read_enabled, .write = write_enabled},
    {.path = "trace_stat/function0", .read = read_table},
};

} // namespace

ControlFiles profile_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
