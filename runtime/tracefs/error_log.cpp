// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error_log: the last eight mistakes, of the main tree and of each instance, each with the command
// and a caret under the place. write() can return only an errno to a shell; the sentence is here.

#include "tracefs/error_log.h"

#include "base/lock.h"
#include "base/log.h"
#include "buffer/trace_clock.h"
#include "tracefs/control_file.h"
#include "tracers/trace_array.h"

namespace nophook {
namespace {

constexpr uint32_t kErrors = 8;
constexpr uint64_t kCommandBytes = 256; // the most bytes of a command; a longer one is cut

struct Mistake {
  uint64_t us; // time in microseconds of CLOCK_MONOTONIC, as events have it
  const char *who;
  Text<512> reason; // the sentence; the loader's have paths
  Text<kCommandBytes> command;
  uint64_t where;
};

struct ErrorLog {
  Mistake mistakes[kErrors];
  uint64_t count;
  uint64_t generation; // instance that the errors belong to
};

ErrorLog g_logs[kTraceArrays];

// The log of an array; emptied, if it is an earlier instance's.
ErrorLog &log_of(const trace_array &tr) {
  ErrorLog &log = g_logs[tr.number];
  uint64_t generation = tr.is_top() ? 0 : tr.buffer().generation;
  if (log.generation != generation)
    log.count = 0;
  log.generation = generation;
  return log;
}

Status read_log(FileTarget at, ControlText &text) {
  RuntimeLock lock;
  const ErrorLog &log = log_of(at.array);
  uint64_t first = log.count > kErrors ? log.count - kErrors : 0;
  for (uint64_t i = first; i < log.count; i++) {
    const Mistake &mistake = log.mistakes[i % kErrors];
    char micros[7] = "000000";
    uint64_t rest = mistake.us % 1000000;
    for (int digit = 5; digit >= 0; digit--, rest /= 10)
      micros[digit] = (char)('0' + rest % 10);
    text.add("[").number(mistake.us / 1000000).add(".").add(micros).add("] ");
    text.add(mistake.who).add(": error: ");
    text.add(mistake.reason.c_str()).add("\n  Command: ").add(mistake.command.c_str());
    text.add("\n           ");
    for (uint64_t column = 0; column < mistake.where; column++)
      text.add(" ");
    text.add("^\n");
  }
  return {};
}

Status empty_log(FileTarget at) {
  RuntimeLock lock;
  log_of(at.array).count = 0;
  return {};
}

Status clear_errors(FileTarget at, const char *, uint64_t) {
  return empty_log(at);
}

// Shows the runtime's own messages: there may be no other reader of them.
Status read_lines(FileTarget, ControlText &text) {
  visit_log([](void *to, const char *line) { static_cast<ControlText *>(to)->add(line).add("\n"); },
            &text);
  return {};
}

Status empty_lines(FileTarget) {
  clear_log();
  return {};
}

Status clear_lines(FileTarget at, const char *, uint64_t) {
  return empty_lines(at);
}

} // namespace

void keep_error(const Status &status, const char *command, uint64_t bytes, uint64_t where,
                const char *who, uint32_t instance) {
  RuntimeLock lock;
  ErrorLog &log = log_of(array_numbered(instance));
  Mistake &mistake = log.mistakes[log.count++ % kErrors];
  mistake = {};
  mistake.who = who;
  mistake.us = monotonic_ns() / 1000;
  mistake.reason.add(status.reason ? status.reason : "it failed");
  for (uint64_t i = 0; i < bytes; i++) {
    bool is_plain = (unsigned char)command[i] >= ' ' && command[i] != 0x7f;
    mistake.command.add(is_plain ? &command[i] : "?", 1);
  }
  mistake.where = where < mistake.command.size() ? where : mistake.command.size();
}

static const ControlFile kFiles[] = {
    {.path = "error_log", .read = read_log, .write = clear_errors, .truncate = empty_log},
    {.path = "log",
     .scope = SettingScope::kTop,
     .read = read_lines,
     .write = clear_lines,
     .truncate = empty_lines},
};

ControlFiles error_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
