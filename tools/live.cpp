// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook live: runs a program and shows its calls: at its end, or with --follow as they come. No
// file is left behind: the recording is in memory that has no name.

#include "foundation/file.h"
#include "foundation/tracer_rows.h"
#include "process/launch/record_program.h"
#include "verbs.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

namespace {

struct Options {
  RecordRequest record;
  std::string show = "trace";
  NamesOption names;
  std::vector<std::string> where;
  bool follow = false, no_pager = false;
};

// Options for files: this verb makes none, so it does not have them.
bool is_of_files(const VerbOption &option) {
  const std::string_view names = option.names;
  return names == "-o,--output" || names == "-z,--compress" || names == "--no-symbols";
}

// An option that would change nothing is an error.
Result<> check_options(const Options &options, const std::vector<std::string> &given) {
  if (!options.follow)
    return {};
  for (const char *option :
       {"--show", "--where", "--no-pager", "--max-size", "--duration", "--wait-children", "--kill"})
    if (std::ranges::count(given, option))
      return Error{"live", option, "is for what is shown at the end: leave out --follow",
                   kExitUsage};
  if (is_profiler(options.record.request.tracer))
    return Error{"live", "--follow",
                 "the tracer " + options.record.request.tracer +
                     " makes no events: leave out --follow",
                 kExitUsage};
  return {};
}

// The free memory in bytes. Half of it is the limit if the user has set none: the program needs
// some, too.
uint64_t free_memory_bytes() {
  return (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

Result<int> show(const std::string &path, const Options &options) {
  Arguments words = {path};
  if (!options.names.said.empty())
    words.insert(words.end(), {"--names", options.names.said});
  for (const std::string &condition : options.where)
    words.insert(words.end(), {"--where", condition});
  if (options.no_pager)
    words.push_back("--no-pager");
  if (options.show == "graph")
    return graph_verb(words);
  if (options.show == "top")
    words.push_back("--top");
  return report_verb(words);
}

Result<int> record_and_show(Options &options) {
  FileDescriptor memory(::memfd_create("nophook", MFD_CLOEXEC));
  if (!memory.valid())
    return system_error("memory", "cannot be had for the recording");
  const std::string path = fmt::format("/proc/self/fd/{}", memory.get());
  options.record.request.output = path;
  options.record.in_memory = true;
  if (!options.record.request.limits.bytes)
    options.record.request.limits.bytes =
        std::max<uint64_t>(free_memory_bytes() / 2, uint64_t{1} << 20);
  auto status = record_program(options.record);
  NOPHOOK_TRY(status);
  auto shown = show(path, options);
  const std::string file = shown ? "" : shown.error().file;
  if (file == "report" || file == "graph" || file == path)
    shown.error().file = "live"; // the verb that the user has typed
  NOPHOOK_TRY(shown);
  return *status ? *status : *shown;
}

} // namespace

Result<int> live_verb(const Arguments &arguments) {
  Options options;
  options.record.verb = "live";
  VerbOptions verb = {"nophook live",
                      "Runs a program and shows its calls, without a file: at its end, or as they "
                      "come. Options end\nat the program's name.",
                      {{"--show",
                        &options.show,
                        "what is shown at the end: the trace (default), the top functions, or the "
                        "graph of calls",
                        {.type = "WHAT", .allowed = "trace top graph"}},
                       {"-f,--follow", &options.follow, "show each event as it comes"},
                       {"--where",
                        &options.where,
                        "only calls of a function whose argument (-a) or result (-r) compares, and "
                        "the calls inside them: 'parse.len > 4096', 'parse.return < 0'",
                        {.type = "CONDITION"}},
                       options.names.row(),
                       {"--no-pager", &options.no_pager, "on a terminal, print without a pager"}},
                      "usage: nophook live [OPTIONS] [--] PROGRAM [ARGS...]"};
  add_options(&verb, &options.record);
  std::erase_if(verb.options, is_of_files);
  std::vector<std::string> given;
  auto go_on = parse(verb, split_program(verb, arguments, &options.record.program), &given);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(complete_request(&options.record));
  if (!options.where.empty() && is_profiler(options.record.request.tracer))
    return Error{"live", "--where",
                 "the tracer " + options.record.request.tracer + " makes no events to choose from",
                 kExitUsage};
  NOPHOOK_TRY(check_options(options, given));
  return options.follow ? follow_program(options.record, options.names) : record_and_show(options);
}

} // namespace nophook
