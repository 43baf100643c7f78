// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the program, makes the buffers' folder, and starts the session with the settings of the
// runtime.

#include "process/launch/record_program.h"

#include "foundation/file.h"
#include "foundation/installation.h"
#include "process/drain/drain.h"
#include "process/launch/check_request.h"
#include "process/launch/child.h"
#include "process/launch/followed_events.h"
#include "process/launch/old_recording.h"
#include "process/launch/program.h"
#include "process/launch/typed_filters.h"

#include <nophook/settings.h>

#include <fmt/format.h>

namespace nophook {

namespace {

using Arguments = std::vector<std::string>;

std::string buffer_mode(const RecordRequest &options) {
  return options.overwrite ? " buffer_mode=overwrite"
         : options.wait_ms ? fmt::format(" buffer_mode=wait:{}", *options.wait_ms)
                           : "";
}

// Leaves a third of the memory file system free for others.
uint64_t buffer_kib(const RecordRequest &options, const BufferFolder &folder) {
  return std::min(options.buffer_mib << 10, folder.free_bytes() / 1024 / 3 * 2);
}

std::vector<std::string> variables_for(const RecordRequest &options, const Program &program,
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

// The runtime's path, or a link to it: spaces and colons separate the preload list.
Result<std::string> preloadable(const std::string &runtime, const BufferFolder &folder) {
  if (runtime.find_first_of(" :") == std::string::npos)
    return runtime;
  std::string link = folder.path() + "/libnophook.so";
  if (::symlink(runtime.c_str(), link.c_str()) != 0)
    return system_error(link, "cannot be made");
  return link;
}

// The results of the checks before the program starts, which also find errors in the command line.
struct Prepared {
  Program program;
  BufferFolder folder;
  std::vector<std::string> variables;
};

Result<std::unique_ptr<Prepared>> prepare(const RecordRequest &options) {
  auto program = find_program(options.program);
  NOPHOOK_TRY(program);
  TracedNames names;
  if (names_functions(options.request))
    names = names_of_program(program->path);
  if (program->has_sites && !options.force)
    NOPHOOK_TRY(check_filters(options.request, names, options.program.front()));
  auto runtime = find_runtime(program->target);
  NOPHOOK_TRY(runtime);
  auto folder = BufferFolder::create();
  NOPHOOK_TRY(folder);
  auto preload = preloadable(*runtime, *folder);
  NOPHOOK_TRY(preload);
  if (buffer_kib(options, *folder) < NOPHOOK_LEAST_BUFFER_KIB)
    return error_at(folder->path(), fmt::format("no room for buffers: at least {} KiB is needed",
                                                NOPHOOK_LEAST_BUFFER_KIB));
  RecordRequest started = options;
  started.request = translated(names, options.request);
  auto variables = variables_for(started, *program, *folder, *preload);
  return std::unique_ptr<Prepared>(
      new Prepared{std::move(*program), std::move(*folder), std::move(variables)});
}

void say_note(const RecordRequest &options, const Program &program) {
  if (!program.note.empty() && options.request.tracer != "nop")
    fmt::print(stderr, "nophook: {}\n", program.note);
}

} // namespace

void add_options(VerbOptions *verb, RecordRequest *request) {
  RecordRequest *options = request;
  add_options(verb, &request->request);
  const VerbOption more[] = {
      {"--overwrite", &options->overwrite,
       "flight recorder: keep only the last events that fit into the buffer"},
      {"--wait",
       &options->wait_ms,
       "let a thread whose buffer is full wait for the recorder, at most TIME (1ms to 10s; a "
       "number alone is milliseconds)",
       {.type = "TIME",
        .range = {1, NOPHOOK_MOST_WAIT_MS},
        .is_ms = true,
        .excludes = "--overwrite"}},
      {"-m,--buffer",
       &options->buffer_mib,
       "memory for the events of a process, in MiB (256), or as a size: 512K, 10M, 1G",
       {.type = "MIB", .range = {1, 1 << 20}, .is_mib = true}},
      {"--static", &options->is_static,
       "keep the calls that recordmcount has kept: write no text for them"},
      {"--force", &options->force,
       "start the program although none of its functions matches --filter: a library that it "
       "loads may have one"},
      {"--strict", &options->at_end.strict,
       "exit with 1 if nothing was recorded, or if events, a process or a function are missing, "
       "whatever the program's exit status is"},
      {"--wait-children", &options->at_end.wait_children,
       "record until all processes that the program has started have ended"},
      {"--kill", &options->at_end.kill, "end the program (SIGTERM) if the recording stops first"}};
  verb->options.insert(verb->options.end(), std::begin(more), std::end(more));
}

Arguments split_program(const VerbOptions &verb, const Arguments &arguments, Arguments *program) {
  size_t i = 0;
  for (; i < arguments.size(); i++) {
    const std::string &word = arguments[i];
    if (word == "--") {
      program->assign(arguments.begin() + (ptrdiff_t)i + 1, arguments.end());
      return {arguments.begin(), arguments.begin() + (ptrdiff_t)i};
    }
    if (word.size() < 2 || word[0] != '-')
      break;
    if (verb.takes_value(word))
      i++;
  }
  i = std::min(i, arguments.size());
  program->assign(arguments.begin() + (ptrdiff_t)i, arguments.end());
  return {arguments.begin(), arguments.begin() + (ptrdiff_t)i};
}

Result<> complete_request(RecordRequest *request) {
  NOPHOOK_TRY(complete_request(request->verb, &request->request));
  NOPHOOK_TRY(check_names(request->request));
  NOPHOOK_TRY(check_values(request->verb, request->request, ToWhom::kNewProgram));
  if (request->program.empty())
    return Error{request->verb, "",
                 fmt::format("no program is given (see nophook {} --help)", request->verb),
                 kExitUsage};
  return {};
}

Result<int> record_program(const RecordRequest &options) {
  auto prepared = prepare(options);
  NOPHOOK_TRY(prepared);
  Prepared &it = **prepared;
  auto old = OldRecording::keep(options.request.output);
  NOPHOOK_TRY(old);
  auto writer = RecordingWriter::create(options.request.output, options.request.pack);
  NOPHOOK_TRY(writer);
  AtEnd at_end = options.at_end;
  if (options.in_memory)
    writer->call("memory");
  else
    at_end.names = kept_names(options.request);
  say_note(options, it.program);
  return run_session(it.program, it.variables, it.folder, *writer, *old, options.request.limits,
                     at_end, describe(options.request, options.program));
}

Result<int> follow_program(const RecordRequest &options, const NamesOption &names) {
  auto prepared = prepare(options);
  NOPHOOK_TRY(prepared);
  say_note(options, (*prepared)->program);
  return follow_events((*prepared)->program, (*prepared)->variables, (*prepared)->folder, names);
}

} // namespace nophook
