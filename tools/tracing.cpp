// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook start, stop, show and reset: trace a running process by hand, as `trace-cmd start` and
// similar commands do. They only write and read files of its control tree; get and set do the same,
// file by file. Events stay in the process's buffer; attach records them.

#include "foundation/tracer_rows.h"
#include "process/attach/serve_process.h"
#include "process/control/choose.h"
#include "process/control/print_file.h"
#include "process/control/reset.h"
#include "process/drain/dir_option.h"
#include "process/launch/restored_files.h"
#include "process/launch/trace_request.h"
#include "process/launch/typed_filters.h"
#include "verbs.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace nophook {

namespace {

std::string joined(const std::vector<std::string> &words) {
  return fmt::format("{}", fmt::join(words, " "));
}

constexpr const char *kPidHelp = "the process; the default is the only one that serves";

// The verbs that get nothing but a process, and then call act(pid).
template <class Act>
Result<int> act_on_process(VerbOptions verb, const Arguments &arguments, Act act) {
  std::optional<int32_t> pid;
  verb.options.push_back({"PID", &pid, kPidHelp});
  verb.options.push_back(dir_option());
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  auto chosen = choose_process(pid);
  NOPHOOK_TRY(chosen);
  NOPHOOK_TRY(act(*chosen));
  return kExitOk;
}

} // namespace

Result<int> start_verb(const Arguments &arguments) {
  std::string tracer = "function_graph";
  std::vector<std::string> words, filters, notraces, graphs;
  bool calls = false;
  const VerbOptions verb = {
      "nophook start",
      "Starts tracing in a running process, until nophook stop.",
      {{"-p,--tracer",
        &tracer,
        "function_graph (default), function, profile, hits or nop",
        {.type = "TRACER", .offered = tracer_list(" ")}},
       {"--calls", &calls, "trace calls of functions in libraries, too: malloc, read"},
       {"-l,--filter", &filters, "trace only functions that match; repeatable", {.type = "GLOB"}},
       {"-n,--notrace", &notraces, "leave out functions that match; repeatable", {.type = "GLOB"}},
       {"-g,--graph,-F,--function",
        &graphs,
        "only functions that match, and the calls inside them; repeatable",
        {.type = "GLOB"}},
       {"PID|FILTER", &words, "the process, if several serve; then globs, as with --filter"},
       dir_option()}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (!graphs.empty() && tracer != "function_graph")
    return Error{"start", "", "--graph is for function_graph: " + tracer + " has no callees",
                 kExitUsage};
  auto pid = choose_process(&words);
  NOPHOOK_TRY(pid);
  std::ranges::move(filters, std::back_inserter(words));
  NOPHOOK_TRY(serve_process(*pid));
  auto client = ControlClient::connect(*pid);
  NOPHOOK_TRY(client);
  auto tree = ControlTree::connect(*pid);
  NOPHOOK_TRY(tree);
  TracedNames names;
  std::vector<std::string> typed = words;
  for (const auto *list : {&notraces, &graphs})
    std::ranges::copy(*list, std::back_inserter(typed));
  if (!words.empty() || !notraces.empty() || !graphs.empty()) {
    names = names_of_process(*pid);
    for (auto *list : {&words, &notraces, &graphs})
      *list = translated(names, *list);
  }
  RestoredFiles files(std::move(*client), *pid, SettingsLock());
  const auto begin = [&]() -> Result<> {
    NOPHOOK_TRY(files.write("tracing_on", "0"));
    if (calls)
      NOPHOOK_TRY(files.write("calls", "1"));
    NOPHOOK_TRY(files.write("set_ftrace_filter", joined(words)));
    NOPHOOK_TRY(files.write("set_ftrace_notrace", joined(notraces)));
    NOPHOOK_TRY(files.write("set_graph_function", joined(graphs)));
    NOPHOOK_TRY(files.write("current_tracer", tracer));
    NOPHOOK_TRY(clear_trace(**tree));
    return files.write("tracing_on", "1");
  };
  if (Result<> begun = begin(); !begun) {
    (void)files.restore(); // the error that led here is the one to print
    return with_absences(begun.error(), names, typed);
  }
  files.keep();
  return kExitOk;
}

Result<int> stop_verb(const Arguments &arguments) {
  const VerbOptions verb = {
      "nophook stop", "Pauses tracing in a process. Recorded events can still be shown.", {}};
  return act_on_process(verb, arguments, [](int32_t pid) -> Result<> {
    auto client = ControlClient::connect(pid);
    NOPHOOK_TRY(client);
    return client->write("tracing_on", "0\n", false);
  });
}

Result<int> show_verb(const Arguments &arguments) {
  bool pipe = false, snapshot = false;
  const VerbOptions verb = {
      "nophook show",
      "Shows the events in a process's buffer, which stay there.",
      {{"-p,--pipe", &pipe, "show events as they arrive, and remove them from the buffer"},
       {"-s,--snapshot",
        &snapshot,
        "show the events that were set aside",
        {.excludes = "--pipe"}}}};
  return act_on_process(verb, arguments, [&](int32_t pid) -> Result<> {
    auto tree = ControlTree::connect(pid);
    NOPHOOK_TRY(tree);
    std::string tracer;
    // If it cannot be read, opening the file below returns the error.
    (void)(*tree)->read("current_tracer", &tracer);
    const char *file = pipe ? "trace_pipe" : snapshot ? "snapshot" : "trace";
    if (is_profiler(tracer.substr(0, tracer.find('\n'))) && !pipe && !snapshot) // no events
      file = "trace_stat/function0";
    return print_file(**tree, file);
  });
}

Result<int> reset_verb(const Arguments &arguments) {
  const VerbOptions verb = {
      "nophook reset", "Resets a process's control tree to its first state.", {}};
  return act_on_process(verb, arguments, [](int32_t pid) -> Result<> {
    auto client = ControlClient::connect(pid);
    NOPHOOK_TRY(client);
    auto tree = ControlTree::connect(pid);
    NOPHOOK_TRY(tree);
    return reset_tree(**tree, *client);
  });
}

} // namespace nophook
