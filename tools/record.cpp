// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook record: starts a program with the runtime in it and keeps emptying its buffers into
// a file until it ends.
//
// The program's streams and its exit status are its own; what we say goes to standard error.
// Whatever is wrong with the command line, the program or the output is found out before the
// program starts. What goes wrong later ends the recording, never the program.

#include "base/file.h"
#include "base/installation.h"
#include "drain/drain.h"
#include "launch/check_request.h"
#include "launch/child.h"
#include "launch/old_recording.h"
#include "launch/program.h"
#include "launch/session.h"
#include "launch/trace_request.h"
#include "launch/typed_filters.h"
#include "verbs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace nophook {

namespace {

struct Options {
  TraceRequest request;
  uint64_t buffer_mib = 256;
  bool overwrite = false;
  std::optional<uint32_t> wait_ms;
  AtEnd at_end;
  bool force = false;
  bool is_static = false;
  Arguments program;
};

// Our options end where the program begins: at the first word that is none of them.
Arguments split_program(const CLI::App &app, const Arguments &arguments, Arguments *program) {
  size_t i = 0;
  for (; i < arguments.size(); i++) {
    const std::string &word = arguments[i];
    if (word == "--") {
      program->assign(arguments.begin() + (ptrdiff_t)i + 1, arguments.end());
      return {arguments.begin(), arguments.begin() + (ptrdiff_t)i};
    }
    if (word.size() < 2 || word[0] != '-')
      break;
    const CLI::Option *option = app.get_option_no_throw(word);
    if (option && option->get_items_expected_max() > 0)
      i++; // its value
  }
  i = std::min(i, arguments.size());
  program->assign(arguments.begin() + (ptrdiff_t)i, arguments.end());
  return {arguments.begin(), arguments.begin() + (ptrdiff_t)i};
}

Result<bool> parse_options(const Arguments &arguments, Options *options) {
  CLI::App app("Runs a program and records its calls. Options end at the program's name.",
               "nophook record");
  app.footer("usage: nophook record [OPTIONS] [--] PROGRAM [ARGS...]");
  add_options(app, &options->request);
  auto *overwrite =
      app.add_flag("--overwrite", options->overwrite,
                   "a flight recorder: keep the last events that fit into the buffer");
  app.add_option("--wait", options->wait_ms,
                 "a thread whose buffer is full waits for the recorder, MS milliseconds at most")
      ->type_name("MS")
      ->check(CLI::Range(1, 10000))
      ->excludes(overwrite);
  app.add_option("-m,--buffer", options->buffer_mib, "memory for events of a process, in MiB (256)")
      ->type_name("MIB")
      ->check(CLI::Range(1, 1 << 20));
  app.add_flag("--static", options->is_static,
               "leave the calls that recordmcount has kept: write no text for them");
  app.add_flag("--force", options->force,
               "start the program although no function of its matches --filter: a library that it "
               "loads may have it");
  app.add_flag("--wait-children", options->at_end.wait_children,
               "record until all processes have ended that the program has started");
  app.add_flag("--kill", options->at_end.kill,
               "end the program (SIGTERM) when the recording stops before it");
  Arguments own = split_program(app, arguments, &options->program);
  auto go_on = parse(app, own);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return false;
  NOPHOOK_TRY(settle("record", &options->request));
  NOPHOOK_TRY(check_settings(options->request));
  if (options->program.empty())
    return Error{"record", "", "no program is given (see nophook record --help)", kExitUsage};
  return true;
}

std::string buffer_mode(const Options &options) {
  return options.overwrite ? " buffer_mode=overwrite"
         : options.wait_ms ? fmt::format(" buffer_mode=wait:{}", *options.wait_ms)
                           : "";
}

// A third of the memory file system stays free for others.
uint64_t buffer_kib(const Options &options, const BufferFolder &folder) {
  return std::min(options.buffer_mib << 10, folder.free_bytes() / 1024 / 3 * 2);
}

std::vector<std::string> variables_for(const Options &options, const Program &program,
                                       const BufferFolder &folder, const std::string &runtime) {
  std::vector<std::string> variables = {fmt::format(
      "NOPHOOK={}buffer_size_kb={}{}{}{}", folder.marker(), buffer_kib(options, folder),
      buffer_mode(options), options.is_static ? " static=1" : "", settings_of(options.request))};
  if (!program.preload)
    return variables;
  const char *others = std::getenv("LD_PRELOAD");
  variables.push_back("LD_PRELOAD=" + runtime + (others && *others ? ":" : "") +
                      (others ? others : ""));
  return variables;
}

// The preload list is separated by spaces and colons.
Result<std::string> preloadable(const std::string &runtime, const BufferFolder &folder) {
  if (runtime.find_first_of(" :") == std::string::npos)
    return runtime;
  std::string link = folder.path() + "/libnophook.so";
  if (::symlink(runtime.c_str(), link.c_str()) != 0)
    return system_error(link, "cannot be made");
  return link;
}

} // namespace

Result<int> record_verb(const Arguments &arguments) {
  Options options;
  auto go_on = parse_options(arguments, &options);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  auto program = find_program(options.program);
  NOPHOOK_TRY(program);
  TracedNames names;
  if (names_functions(options.request))
    names = names_of_program(program->path);
  if (program->has_sites && !options.force)
    NOPHOOK_TRY(check_filters(options.request, names, options.program.front()));
  auto runtime = find_runtime();
  NOPHOOK_TRY(runtime);
  auto folder = BufferFolder::create();
  NOPHOOK_TRY(folder);
  auto preload = preloadable(*runtime, *folder);
  NOPHOOK_TRY(preload);
  if (buffer_kib(options, *folder) < 1024)
    return error_at(folder->path(), "no room for buffers: 1 MiB at least is needed");
  auto old = OldRecording::keep(options.request.output);
  NOPHOOK_TRY(old);
  auto writer = RecordingWriter::create(options.request.output, options.request.pack);
  NOPHOOK_TRY(writer);
  if (!program->note.empty() && options.request.tracer != "nop")
    fmt::print(stderr, "nophook: {}\n", program->note);
  Options started = options;
  started.request = translated(names, options.request);
  return run_session(*program, variables_for(started, *program, *folder, *preload), *folder,
                     *writer, *old, options.request.limits, options.at_end,
                     describe(options.request, options.program));
}

} // namespace nophook
