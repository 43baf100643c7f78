// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook live: runs a program and shows its calls: at its end, or with --follow as they come. No
// file is left behind: the recording is in memory that has no name.

#include "foundation/file.h"
#include "foundation/tracer_rows.h"
#include "process/launch/record_program.h"
#include "read/select/selection_options.h"
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
  Selection selection; // calls that are shown at the end
  bool follow = false, no_pager = false;
};

// Options for files: this verb makes none, so it does not have them.
bool is_of_files(const VerbOption &option) {
  const std::string_view names = option.names;
  return names == "-o,--output" || names == "-z,--compress" || names == "--no-symbols";
}

// An option that would change nothing is an error.
Result<> check_options(const Options &options, const std::vector<std::string> &given) {
  const std::string &tracer = options.record.request.tracer;
  std::vector<std::string> at_the_end = selection_words(options.selection);
  for (std::string &word : at_the_end)
    word.resize(word.find('='));
  if (is_profiler(tracer) && !at_the_end.empty())
    return Error{"live", at_the_end.front(),
                 "the tracer " + tracer + " makes no events to choose from", kExitUsage};
  if (!options.follow)
    return {};
  for (const char *option :
       {"--show", "--no-pager", "--max-size", "--duration", "--wait-children", "--kill"})
    if (std::ranges::count(given, option))
      at_the_end.emplace_back(option);
  if (!at_the_end.empty())
    return Error{"live", at_the_end.front(), "is for what is shown at the end: leave out --follow",
                 kExitUsage};
  if (is_profiler(tracer))
    return Error{"live", "--follow",
                 "the tracer " + tracer + " makes no events: leave out --follow", kExitUsage};
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
  std::ranges::copy(selection_words(options.selection), std::back_inserter(words));
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
                       options.names.row(),
                       {"--no-pager", &options.no_pager, "on a terminal, print without a pager"}},
                      "usage: nophook live [OPTIONS] [--] PROGRAM [ARGS...]"};
  add_options(&verb, &options.record);
  std::erase_if(verb.options, is_of_files);
  for (VerbOption &row : verb.options) // other names mean what they do where recordings are read
    if (row.target == OptionTarget(&options.record.request.notraces))
      row.names = "-n";
    else if (row.target == OptionTarget(&options.record.request.graphs))
      row.names = "-g,--graph";
  add_selection_options(&verb, &options.selection, "--off-cpu"); // it records
  std::vector<std::string> given;
  auto go_on = parse(verb, split_program(verb, arguments, &options.record.program), &given);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(read_times("live", &options.selection));
  if (options.follow) // nothing is read: functions can only be left out of the recording
    std::ranges::move(std::exchange(options.selection.notraces, {}),
                      std::back_inserter(options.record.request.notraces));
  NOPHOOK_TRY(complete_request(&options.record));
  NOPHOOK_TRY(check_options(options, given));
  return options.follow ? follow_program(options.record, options.names) : record_and_show(options);
}

} // namespace nophook
