// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook recover: makes recordings of buffers that programs have left behind. Such programs were
// traced without a recorder, or their recorder was killed.

#include "process/drain/recover.h"
#include "foundation/counted.h"
#include "foundation/json.h"
#include "foundation/output.h"
#include "process/drain/buffer_file.h"
#include "process/drain/buffer_folder.h"
#include "process/drain/clocks.h"
#include "process/drain/dir_option.h"
#include "show/print/duration.h"
#include "verbs.h"

#include <unistd.h>

namespace nophook {

namespace {

struct Options {
  std::string what;
  std::string output = "nophook.data";
  bool list = false;
  bool clean = false;
  bool json = false;
  bool no_symbols = false;
};

const char *state_of(const FoundBuffer &buffer) {
  if (buffer.snapshot)
    return "copy";
  return buffer.life == Life::kAlive ? "running" : buffer.life == Life::kGone ? "gone" : "unknown";
}

// Null: the process is in another PID namespace, where its state is unknown.
Json is_alive(const FoundBuffer &buffer) {
  return buffer.life == Life::kUnknown ? Json() : Json(buffer.life == Life::kAlive);
}

void print_list(Output &output, const std::vector<FoundBuffer> &buffers, bool json) {
  uint64_t now = read_clocks().monotonic_ns;
  if (!json && !buffers.empty())
    output.line("{:>8}  {:<7}  {:>10}  {:>9}  {:<15}  {}", "PID", "STATE", "AGE", "SIZE", "COMMAND",
                "BUFFER");
  for (const FoundBuffer &buffer : buffers) {
    uint64_t age = now > buffer.start_ns ? now - buffer.start_ns : 0;
    if (json)
      output.line("{}", Json({{"pid", buffer.pid},
                              {"alive", is_alive(buffer)},
                              {"snapshot", buffer.snapshot},
                              {"instance", printable(buffer.instance)},
                              {"age_ns", age},
                              {"bytes", buffer.bytes},
                              {"comm", buffer.comm},
                              {"exe", buffer.exe},
                              {"tracer", buffer.tracer},
                              {"path", printable(buffer.path)}})
                            .text());
    else
      output.line("{:>8}  {:<7}  {:>10}  {:>5.1f} MiB  {:<15}  {}", buffer.pid, state_of(buffer),
                  short_duration(age), (double)buffer.bytes / (1 << 20), buffer.comm,
                  printable(buffer.path));
  }
}

Result<int> clean(const std::vector<FoundBuffer> &buffers) {
  uint64_t count = 0, bytes = 0;
  std::optional<Error> first;
  for (const FoundBuffer &buffer : buffers) {
    if (buffer.life != Life::kGone || has_recorder(buffer))
      continue;
    if (auto error = remove_buffer(buffer)) {
      first = first ? first : error; // the other buffers are removed nevertheless
      continue;
    }
    count++;
    bytes += buffer.bytes;
  }
  fmt::print(stderr, "nophook: {} of ended processes removed, {:.1f} MiB\n",
             counted(count, "buffer"), (double)bytes / (1 << 20));
  if (first)
    return *first;
  return kExitOk;
}

} // namespace

Result<int> recover_verb(const Arguments &arguments) {
  Options options;
  const VerbOptions verb = {
      "nophook recover",
      "Makes a recording of the buffer that a program has left behind. The program was traced "
      "without `nophook record`, or its recorder was killed.",
      {{"WHAT", &options.what,
        "a .buf file, a folder of them, a core file, or the number of a process"},
       {"-o,--output", &options.output, "the recording (nophook.data)", {.type = "PATH"}},
       {"--list", &options.list, "show the buffers that there are", {.excludes = "--output"}},
       {"--clean",
        &options.clean,
        "remove buffers of ended processes, except those that a running recorder reads",
        {.excludes = "--output --list"}},
       {"--no-symbols", &options.no_symbols,
        "leave the functions' names out of the recording: they come from the program's files"},
       {"--json", &options.json, "with --list: one JSON object a line", {.needs = "--list"}},
       dir_option()}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (options.what.empty() && !options.list && !options.clean)
    return Error{"recover", "", "name a buffer, a folder or a process (--list shows them)",
                 kExitUsage};
  std::vector<FoundBuffer> buffers;
  if (options.what.empty()) {
    buffers = find_buffers(buffer_folders());
  } else {
    auto chosen = choose_buffers(options.what, options.clean || options.list ? BufferKinds::kAll
                                                                             : BufferKinds::kMain);
    NOPHOOK_TRY(chosen);
    buffers = std::move(*chosen);
  }
  if (options.list) {
    Output output;
    print_list(output, buffers, options.json);
    NOPHOOK_TRY(output.flush());
    return kExitOk;
  }
  if (options.clean && buffers.front().folder)
    return Error{"recover", "", "--clean does not remove core files", kExitUsage};
  if (options.clean)
    return clean(buffers);
  for (const FoundBuffer &buffer : buffers)
    if (buffer.folder && ::access(beside_buffer(buffer.path, kMapsSuffix).c_str(), F_OK) != 0)
      fmt::print(
          stderr,
          "nophook: {}: the list of functions beside the buffer is missing: functions are shown "
          "as numbers\n",
          printable(options.what));
  auto writer = RecordingWriter::create(options.output);
  NOPHOOK_TRY(writer);
  auto events = recover(buffers, *writer, options.no_symbols ? KeepNames::kNo : KeepNames::kYes);
  NOPHOOK_TRY(events);
  for (const FoundBuffer &buffer : buffers)
    if (!buffer.lost_children.empty())
      fmt::print(stderr, "nophook: {}: {}\n", buffer.pid, buffer.lost_children);
  fmt::print(stderr, "nophook: {} of {}, {:.1f} MiB in {}\n", counted(*events, "event"),
             counted(buffers.size(), "process", "processes"), (double)writer->bytes() / (1 << 20),
             printable(options.output));
  return kExitOk;
}

} // namespace nophook
