// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all formats. Help, completion and messages list its rows, and
// test/house/formats.test compares the manual page with it.
//
// X(id, name, kind, names, extension, help): the file that has the format defines make_ID().

#pragma once

#include "show/formats/event_format.h"

#include <memory>
#include <span>

#define NOPHOOK_FORMATS(X)                                                                         \
  X(text, "text", kLines, kFull, "txt", "the kernel's text, as `nophook report` prints it")        \
  X(json, "json", kLines, kFull, "json", "one JSON object a line, as report --json prints it")     \
  X(perfetto, "perfetto", kBytes, kShort, "pftrace", "track events for ui.perfetto.dev")           \
  X(chrome, "chrome", kLines, kShort, "json", "Chrome's trace events, also for ui.perfetto.dev")   \
  X(speedscope, "speedscope", kLines, kShort, "json", "all calls, for speedscope.app")             \
  X(firefox, "firefox", kLines, kShort, "json", "stacks over time, for profiler.firefox.com")      \
  X(folded, "folded", kLines, kShort, "folded", "stacks with their own time, for flame graphs")    \
  X(callgrind, "callgrind", kLines, kShort, "callgrind", "for callgrind_annotate and KCachegrind") \
  X(pprof, "pprof", kBytes, kShort, "pb", "calls and times for pprof")                             \
  X(ctf, "ctf", kFile, kShort, "ctf", "a folder for babeltrace2 and Trace Compass")                \
  X(trace_dat, "trace.dat", kFile, kFull, "dat", "the file of trace-cmd and KernelShark")

namespace nophook {

enum class FormatKind {
  kLines, // lines, to standard output or a file
  kBytes, // no text; a file without a name is trace.EXTENSION
  kFile,  // a file or folder that the format creates itself; without a name it is trace.EXTENSION
};

struct FormatRow {
  const char *name;
  FormatKind kind;
  NameStyle names;       // without --names: short if users read the result
  const char *extension; // of the files, without a dot
  const char *help;
  std::unique_ptr<EventFormat> (*make)(const FormatContext &context);
};

std::span<const FormatRow> formats();

// Finds a format. Error: it does not exist; the message lists the formats.
Result<const FormatRow *> find_format(const std::string &name);

// The names of all formats, with `between` two of them.
std::string format_names(const char *between);

// A line for each format: its name, the name of its files, and its help.
std::string format_help();

} // namespace nophook
